// Each strategy in a landscape with a planted optimum. What is known beforehand
// is said at each.

#include <gtest/gtest.h>

#include <utility>

#include "base/random.h"
#include "expect_golden.h"
#include "landscape_test.h"

namespace kb::search {
namespace {

using record::Ask;
using record::AskKind;

Choice Chosen(const std::string& text) {
  auto choice = ParseChoice(text);
  EXPECT_TRUE(choice) << choice.error().message();
  return *choice;
}

Play PlayOf(const World& world, const std::string& text, int64_t answers,
            bool given = false) {
  const Choice choice = Chosen(text);
  return {world, choice, {answers, choice.parallel, 0}, given};
}

// Answers 1, 2, 3, ... draw from 64 programs of which one is fast.
World Needle() {
  return {[](const Point& p) { return p.x == 17 ? 64.0 : 1.0; },
          [](const Ask& ask, const std::vector<Point>&) {
            return Point{Drawn(ask.turn, 64), 0};
          }};
}

// Every answer of a conversation is one step nearer to the top of its hill,
// and two conversations in three begin at a hill that is low.
constexpr int64_t kTop = 10;
World Hills() {
  return {[](const Point& p) {
            const double height = p.y == 0 ? 8.0 : 2.0;
            return 1 + height * static_cast<double>(p.x) / kTop;
          },
          [](const Ask& ask, const std::vector<Point>& parents) {
            if (parents.empty()) return Point{0, Drawn(ask.turn, 3)};
            return Point{std::min(parents[0].x + 1, kTop), parents[0].y};
          }};
}

// An idea has a quality x, and its programs reach half of it or all. Ideas
// that follow one are up to two better or worse.
World Ideas() {
  return {[](const Point& p) { return 1 + static_cast<double>(p.y); },
          [](const Ask& ask, const std::vector<Point>& parents) {
            const int64_t chance = Drawn(ask.turn, 5);
            if (ask.kind == AskKind::kProgram) {
              const int64_t x = parents[0].x;
              return Point{x, ask.turn % 2 == 0 ? x : x / 2};
            }
            const int64_t from = parents.empty() ? 0 : parents[0].x;
            return Point{std::clamp<int64_t>(from + chance - 2, 0, 8), 0};
          }};
}

// Two approaches that are worth little alone: the product of both is. A first
// program has one of them, a mutation changes what is there, and only joining
// two programs gives both.
constexpr int64_t kMost = 6;
World TwoApproaches() {
  return {[](const Point& p) {
            return 1 + static_cast<double>(p.x + p.y) / (2 * kMost) +
                   static_cast<double>(p.x * p.y) / kMost;
          },
          [](const Ask& ask, const std::vector<Point>& parents) {
            const int64_t chance = Drawn(ask.turn, 4);
            const auto step = [&](int64_t v) {
              return v == 0 ? v
                            : std::clamp<int64_t>(v + (chance > 0 ? 1 : -1), 1,
                                                  kMost);
            };
            if (parents.empty()) return chance < 2 ? Point{1, 0} : Point{0, 1};
            if (ask.kind == AskKind::kCrossover)
              return Point{std::max(parents[0].x, parents[1].x),
                           std::max(parents[0].y, parents[1].y)};
            return Point{step(parents[0].x), step(parents[0].y)};
          }};
}

TEST(StrategiesTest, BestOfNFindsTheNeedleAtTheAnswerThatDrawsIt) {
  int64_t expected = 1;
  while (Drawn(expected, 64) != 17) ++expected;
  Play play = PlayOf(Needle(), "best-of-n", 200);
  play.Run();
  EXPECT_EQ(play.best(), 64);
  EXPECT_EQ(play.best_turn(), expected);
  Play short_of_it = PlayOf(Needle(), "best-of-n", expected - 1);
  short_of_it.Run();
  EXPECT_EQ(short_of_it.best(), 1);
}

TEST(StrategiesTest, RefinementClimbsItsHillInAsManyAnswers) {
  const World hills = Hills();
  World high = hills;  // where the first answer is at the high hill
  high.model = [&](const Ask& ask, const std::vector<Point>& parents) {
    return parents.empty() ? Point{0, 0} : hills.model(ask, parents);
  };
  Play play = PlayOf(high, "refinement", kTop + 1);
  play.Run();
  EXPECT_EQ(play.best(), 9);
  EXPECT_EQ(play.best_turn(), kTop + 1);
}

TEST(StrategiesTest, ParallelRefinementFindsTheHillThatOneMisses) {
  ASSERT_NE(Drawn(1, 3), 0) << "the first conversation begins at a low hill";
  Play one = PlayOf(Hills(), "refinement", 66);
  one.Run();
  EXPECT_EQ(one.best(), 3);
  Play six = PlayOf(Hills(), "parallel-refinement:conversations=6", 66);
  six.Run();
  EXPECT_EQ(six.best(), 9);
}

TEST(StrategiesTest, DepthBeginsConversationsAnew) {
  Play play = PlayOf(
      Hills(), "parallel-refinement:conversations=1,depth=11,parallel=1", 66);
  play.Run();
  EXPECT_EQ(play.best(), 9) << "a later conversation is at the high hill";
  int64_t first = 0;
  for (const record::Decision& line : play.log())
    first += line.ask && line.ask->kind == AskKind::kFirst ? 1 : 0;
  EXPECT_EQ(first, 6);
}

TEST(StrategiesTest, BeamFollowsTheBestIdeas) {
  Play play = PlayOf(Ideas(), "beam:ideas=4,programs=2,keep=2", 120);
  play.Run();
  EXPECT_EQ(play.best(), 9);
  // Without a beam the first ideas are all that there is: at most 2.
  Play first = PlayOf(Ideas(), "beam:ideas=40,programs=2", 120);
  first.Run();
  EXPECT_EQ(first.best(), 3);
}

TEST(StrategiesTest, IslandsJoinWhatTheyFoundApart) {
  const double both = 1 + 1 + kMost;  // x = y = kMost
  Play play = PlayOf(TwoApproaches(), "islands:crossover=0.25", 120);
  play.Run();
  EXPECT_EQ(play.best(), both);
  // Without crossover nothing has both.
  Play apart = PlayOf(TwoApproaches(), "islands:crossover=0", 120);
  apart.Run();
  EXPECT_EQ(apart.best(), 1.5);
  // Nor has a conversation.
  Play one = PlayOf(TwoApproaches(), "refinement", 120);
  one.Run();
  EXPECT_EQ(one.best(), 1.5);
}

TEST(StrategiesTest, SeedDecidesAndNothingElse) {
  const auto lines = [](const std::string& text) {
    Play play = PlayOf(TwoApproaches(), text, 40);
    play.Run();
    return play.Lines();
  };
  EXPECT_EQ(lines("islands:seed=1"), lines("islands:seed=1"));
  EXPECT_NE(lines("islands:seed=1"), lines("islands:seed=2"));
}

// Of every strategy a search with 24 answers, of which the fifth is refused.
struct Golden {
  const char* text;
  World (*world)();
};
const std::vector<Golden>& Goldens() {
  static const std::vector<Golden> kGoldens{
      {"best-of-n", Needle},
      {"refinement", Hills},
      {"parallel-refinement:conversations=3,depth=5", Hills},
      {"beam:ideas=3,programs=2,keep=2", Ideas},
      {"islands:islands=2,migrate=4,seed=7", TwoApproaches}};
  return kGoldens;
}

Play Played(const Golden& golden) {
  Play play = PlayOf(golden.world(), golden.text, 24);
  play.Refuse(5);
  return play;
}

TEST(StrategiesTest, DecisionsAreThoseOfTheGoldenLogs) {
  std::string text;
  for (const Golden& golden : Goldens()) {
    Play play = Played(golden);
    play.Run();
    text += ChoiceText(Chosen(golden.text)) + "\n";
    for (const std::string& line : play.Lines()) text += "  " + line + "\n";
  }
  ExpectGolden(
      text, std::string(KB_SOURCE_DIR) + "/tests/golden/search/decisions.txt");
}

TEST(StrategiesTest, WhoAnswersFirstDecidesNothing) {
  for (const Golden& golden : Goldens()) {
    Play in_order = Played(golden);
    in_order.Run();
    for (uint64_t seed = 0; seed < 10; ++seed) {
      Play any_order = Played(golden);
      base::Sequence random(seed);
      any_order.Run([&](size_t open) { return random.Below(open); });
      EXPECT_EQ(any_order.Lines(), in_order.Lines()) << golden.text;
    }
  }
}

TEST(StrategiesTest, LogThatIsCutAnywhereGoesOnAsUndisturbed) {
  base::Sequence random(18);
  for (const Golden& golden : Goldens()) {
    Play undisturbed = Played(golden);
    undisturbed.Run();
    for (int cut = 0; cut < 20; ++cut) {
      const size_t lines = random.Below(undisturbed.log().size() + 1);
      Play resumed = undisturbed.Resumed(lines);
      resumed.Run([&](size_t open) { return random.Below(open); });
      EXPECT_EQ(resumed.Lines(), undisturbed.Lines())
          << golden.text << " cut after " << lines;
    }
  }
}

TEST(StrategiesTest, LogOfAnotherSearchIsRefused) {
  Play islands = Played(Goldens()[4]);
  islands.Run();
  auto other = MakeStrategy(Chosen("islands:seed=8,migrate=4"), 0);
  ASSERT_TRUE(other);
  Episode episode(std::move(*other), {24, 4, 0}, false);
  const auto resumed = episode.Resume(islands.log());
  ASSERT_FALSE(resumed);
  EXPECT_NE(resumed.error().message().find("was decided otherwise"),
            std::string::npos);
}

TEST(StrategiesTest, EachBeginsFromAGivenProgram) {
  for (const Golden& golden : Goldens()) {
    Play play = PlayOf(golden.world(), golden.text, 6, true);
    play.Run();
    const auto& log = play.log();
    ASSERT_GE(log.size(), 4U) << golden.text;
    EXPECT_EQ(log[0].ask->kind, AskKind::kGiven);
    ASSERT_TRUE(log[1].told) << "it is judged before anything is asked";
    ASSERT_TRUE(log[2].ask);
    EXPECT_EQ(log[2].ask->parents, std::vector<int64_t>{1}) << golden.text;
  }
}

TEST(StrategiesTest, MoreBudgetGoesOnWhereItEnded) {
  for (const Golden& golden : Goldens()) {
    Play play = Played(golden);
    play.Run();
    const auto before = play.Lines();
    play.episode().Limit(32);
    play.Run();
    auto asks = play.episode().TakeAsks();
    if (std::string(golden.text) == "refinement") {
      EXPECT_TRUE(asks.empty()) << "its fifth answer was refused";
      continue;
    }
    EXPECT_FALSE(asks.empty()) << golden.text;
    EXPECT_EQ(play.Lines(), before) << "nothing is decided anew";
  }
}

TEST(StrategiesTest, SecondsEndASearch) {
  const Choice choice = Chosen("best-of-n:parallel=2");
  Play play(Needle(), choice, {100, 2, 5}, false);
  play.Run();
  // Each takes a second; the last was put when four were told.
  EXPECT_EQ(play.log().size(), 2U * 6U);
}

TEST(StrategiesTest, ReplayAsksWhatTheLogHoldsOfAnotherModel) {
  Play first = Played(Goldens()[4]);
  first.Run();
  std::vector<Ask> asks;
  for (const record::Decision& line : first.log())
    if (line.ask) asks.push_back(*line.ask);
  Episode episode(MakeReplay(asks), {24, 4, 0}, false);
  std::vector<Ask> again;
  for (auto open = episode.TakeAsks(); !open.empty(); open = episode.TakeAsks())
    for (const Ask& ask : open) {
      again.push_back(ask);
      record::Told told;  // a model that always fails
      told.turn = ask.turn;
      episode.Tell(told);
    }
  EXPECT_EQ(again, asks);
  EXPECT_TRUE(episode.IsOver());
}

TEST(StrategiesTest, MistakesInAChoiceAreNamed) {
  const auto error = [](const std::string& text) {
    const auto choice = ParseChoice(text);
    return choice ? std::string() : choice.error().message();
  };
  EXPECT_EQ(error("hill-climbing"),
            "--search hill-climbing: there is no such strategy; there are "
            "best-of-n, refinement, parallel-refinement, beam, islands");
  EXPECT_EQ(error("beam:width=3"),
            "--search beam: it has no option \"width\"; it has ideas, "
            "programs, keep, parallel, seed");
  EXPECT_EQ(error("islands:crossover=2"),
            "--search: crossover=2: use a number from 0 to 1");
  EXPECT_EQ(error("beam:ideas=1.5"),
            "--search: ideas=1.5: use a whole number from 1 to 1000");
  EXPECT_EQ(error("beam:ideas"),
            "--search beam: \"ideas\": write OPTION=VALUE; it has ideas, "
            "programs, keep, parallel, seed");
  EXPECT_EQ(ChoiceText(Chosen("islands:seed=3")),
            "islands:islands=2,crossover=0.25,migrate=8,parallel=4,seed=3");
  EXPECT_EQ(Chosen(ChoiceText(Chosen("beam"))).parallel, 4);
}

}  // namespace
}  // namespace kb::search
