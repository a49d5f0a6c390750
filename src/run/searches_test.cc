// Samples that are searches.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/random.h"
#include "run/given.h"
#include "run/turn_question.h"
#include "run_fixture.h"

namespace kb::run {
namespace {

using record::Decision;
using record::Evaluation;
using record::Generation;
using record::Verdict;
using Words = std::vector<std::string>;

// The numbers of the programs that a text shows, "x = 5".
std::vector<unsigned> NumbersIn(const std::string& text) {
  std::vector<unsigned> numbers;
  for (size_t at = text.find("x = "); at != std::string::npos;
       at = text.find("x = ", at + 1))
    numbers.push_back(static_cast<unsigned>(std::stoul(text.substr(at + 4))));
  return numbers;
}

// A program is a number of eight bits, and its speedup 1 and one more for each
// bit. First programs have one bit, a mutation of one has one more, and a
// crossover all bits of both. An idea is a program in words.
struct Landscape : llm::Provider {
  tl::expected<llm::Reply, llm::Failure> Ask(
      const llm::Question& question,
      const std::function<void(const std::string&)>& /*on_step*/,
      std::stop_token /*stop*/) override {
    Event();
    if (unreachable.contains(question.turn))
      return tl::unexpected(
          llm::Failure{llm::Failure::Kind::kUnavailable, "the line is dead"});
    {
      const base::MutexLock lock(&mutex);
      asked.push_back(question);
    }
    llm::Reply reply;
    reply.text = AnswerTo(question);
    reply.usage = record::Usage{100, 0, 10, 0};
    reply.usd = 0.25;
    reply.seconds = 1;
    return reply;
  }

  std::string AnswerTo(const llm::Question& question) const {
    std::vector<unsigned> numbers = NumbersIn(question.user);
    for (const llm::Message& message : question.history)
      if (message.role == llm::Message::Role::kAssistant)
        numbers = NumbersIn(message.text);
    unsigned x = 0;
    for (const unsigned number : numbers) x |= number;
    if (const auto most = most_bits.find(question.problem_id);
        most != most_bits.end() && std::popcount(x) >= most->second)
      return Program(x);
    if (question.user.find("Write one that joins") == std::string::npos)
      for (unsigned i = 0; i < 8; ++i)
        if (const unsigned bit = 1U << ((i + question.turn) % 8);
            (x & bit) == 0) {
          x |= bit;
          break;
        }
    if (question.user.find("Do not write the program yet") != std::string::npos)
      return fmt::format("Let x = {} and see.", x);
    return Program(x);
  }

  static std::string Program(unsigned x) {
    return fmt::format("```python\nclass ModelNew:\n    x = {}\n```\n", x);
  }

  void Event() {
    if (--events_to_live == 0) _exit(9);
  }

  std::set<int64_t> unreachable;         // turns
  std::map<std::string, int> most_bits;  // of programs, by problem
  std::atomic<int64_t> events_to_live = -1;
  base::Mutex mutex;
  std::vector<llm::Question> asked;
};

struct Ends : Silent {
  void OnSampleEnd(size_t, bool before) override { ended += before ? 0 : 1; }
  int64_t ended = 0;
};

class SearchesTest : public ConversationTest {
 protected:
  static constexpr const char* kBackend = "cpp-inline";

  SearchesTest() : ConversationTest(kBackend) {
    model_.concurrency = 3;
    texts_.emplace(*prompt::SearchWriter::Create(
        {KB_SOURCE_DIR "/share/prompts", "default", kBackend}));
    conversation_.texts = &*texts_;
    plan_.asking.provider = &landscape_;
    plan_.samples.push_back({0, problem_, 0});
    plan_.judging->judge = [this](eval::TaskQueue* queue,
                                  eval::Observer* observer,
                                  const std::stop_token& stop) {
      while (const auto taken = queue->Take(stop)) {
        landscape_.Event();
        observer->OnDone(taken->first, Judged(taken->second));
      }
      return base::Ok();
    };
    Search("islands:parallel=3", 12);
  }

  void Search(const std::string& text, int64_t turns) {
    auto choice = search::ParseChoice(text);
    ASSERT_TRUE(choice) << choice.error().message();
    conversation_.search = *choice;
    plan_.asking.parallel = choice->parallel;
    for (Wanted& wanted : plan_.samples) wanted.turns = turns;
  }

  // Judged again, a program is a little slower than it seemed.
  static Evaluation Judged(const eval::Task& task) {
    Evaluation evaluation = EvaluationOf(task);
    evaluation.verdict = Verdict::kCorrect;
    const double speedup =
        1 + std::popcount(NumbersIn(task.candidate.source).at(0)) -
        (task.confirms ? 0.5 : 0.0);
    evaluation.speedup = record::Interval{speedup, speedup, speedup};
    evaluation.reference_time.emplace().median = 10 * speedup;
    evaluation.candidate_time.emplace().median = 10;
    return evaluation;
  }

  RunResult Run() {
    landscape_.asked.clear();
    observer_.ended = 0;
    return RunInto(&observer_);
  }

  std::vector<Decision> Log() {
    auto decisions = Open().Decisions();
    EXPECT_TRUE(decisions);
    return std::move(*decisions);
  }

  std::vector<record::Ask> Asks() {
    std::vector<record::Ask> asks;
    for (const Decision& line : Log())
      if (line.ask) asks.push_back(*line.ask);
    return asks;
  }

  // And what was decided, in order.
  Words Kept() {
    Words lines = KeptAnswersAndVerdicts();
    for (const Decision& line : Log())
      lines.push_back(line.ask ? base::DumpJson(record::ToJson(*line.ask))
                               : base::DumpJson(record::ToJson(*line.told)));
    return lines;
  }

  double Best() {
    double best = 0;
    for (const Decision& line : Log())
      if (line.told) best = std::max(best, line.told->speedup.value_or(0));
    return best;
  }

  std::optional<prompt::SearchWriter> texts_;
  Landscape landscape_;
  Ends observer_;
  int budgets_ = 0;
};

TEST_F(SearchesTest, EveryStrategyIsPlayedToItsBudget) {
  for (const char* text :
       {"best-of-n", "refinement", "parallel-refinement:conversations=2",
        "beam:ideas=2,programs=2", "islands"}) {
    store_name_ = fmt::format("{}.db", std::string(text).substr(0, 8));
    Search(text, 12);
    const RunResult result = Run();
    EXPECT_EQ(result.asking.answered, 12) << text;
    EXPECT_EQ(Asks().size(), 12U) << text;
    EXPECT_EQ(Log().size(), 24U) << text;
    EXPECT_EQ(observer_.ended, 1) << text;
    ASSERT_FALSE(result.evaluations.empty());
    const Evaluation& last = result.evaluations.back();
    EXPECT_TRUE(last.confirms) << "the winner is judged again";
    EXPECT_EQ(last.speedup->estimate, Best() - 0.5) << text;
    // Single programs have one bit; every other strategy builds on them.
    EXPECT_EQ(Best() > 2, text != std::string("best-of-n")) << text;
  }
}

TEST_F(SearchesTest, QuestionShowsTheProgramsOfItsParents) {
  Search("islands:crossover=1,parallel=1,islands=1", 8);
  Run();
  const auto generations = Open().Generations();
  ASSERT_TRUE(generations);
  const auto asks = Asks();
  int64_t with_parents = 0;
  for (const llm::Question& question : landscape_.asked) {
    const record::Ask& ask = asks.at(static_cast<size_t>(question.turn - 1));
    EXPECT_TRUE(question.history.empty());
    std::vector<unsigned> parents;
    for (const int64_t parent : ask.parents) {
      ++with_parents;
      parents.push_back(
          NumbersIn(generations->at(static_cast<size_t>(parent - 1)).source)
              .at(0));
    }
    EXPECT_EQ(NumbersIn(question.user), parents) << question.user;
    const Generation& kept =
        generations->at(static_cast<size_t>(question.turn - 1));
    if (!ask.parents.empty()) {
      EXPECT_EQ(
          kept.history,
          (record::History{record::AskKindName(ask.kind), ask.parents, {}}));
    }
  }
  EXPECT_GE(with_parents, 7);
}

TEST_F(SearchesTest, IdeasAreNotJudgedAndLeadToPrograms) {
  Search("beam:ideas=2,programs=1,keep=1,parallel=1", 6);
  const RunResult result = Run();
  const auto asks = Asks();
  ASSERT_EQ(asks.size(), 6U);
  EXPECT_EQ(asks[0].kind, record::AskKind::kIdea);
  EXPECT_EQ(asks[2].kind, record::AskKind::kProgram);
  EXPECT_EQ(asks[4].parents.size(), 2U) << "an idea and its program";
  EXPECT_EQ(result.evaluations.size(), 3U) << "two programs, the best again";
  // The second idea is told of the first.
  EXPECT_NE(landscape_.asked[1].user.find("- Let x = "), std::string::npos);
  EXPECT_NE(landscape_.asked[2].user.find("Let x = "), std::string::npos);
}

TEST_F(SearchesTest, SameQuestionIsAskedWithAnotherSeed) {
  Search("best-of-n:parallel=1", 3);
  Run();
  ASSERT_EQ(landscape_.asked.size(), 3U);
  EXPECT_EQ(landscape_.asked[0].user, landscape_.asked[2].user);
  EXPECT_EQ(llm::SeedOffset(landscape_.asked[0]), 0);
  EXPECT_EQ(llm::SeedOffset(landscape_.asked[2]), 2 * llm::kSeedsApart);
}

TEST_F(SearchesTest, WhatASearchAskedIsShownFromTheStore) {
  for (const char* text : {"islands:crossover=0.5", "beam:ideas=2"}) {
    store_name_ = fmt::format("{}.db", std::string(text).substr(0, 4));
    Search(text, 12);
    Run();
    const store::Store store = Open();
    for (const llm::Question& asked : landscape_.asked) {
      const auto shown = QuestionOfTurn(
          store, plan_.asking, {0, problem_, asked.sample}, asked.turn);
      ASSERT_TRUE(shown) << shown.error().message();
      EXPECT_EQ(shown->question.user, asked.user);
      store::GenerationFilter turn;
      turn.sample = asked.sample;
      turn.turn = asked.turn;
      const auto kept = store.Generations(turn);
      ASSERT_TRUE(kept);
      EXPECT_EQ(shown->shown, kept->at(0).shown);
      for (const record::ShownProgram& program : shown->shown)
        EXPECT_TRUE(program.run.empty() && program.turn < asked.turn);
    }
  }
}

TEST_F(SearchesTest, WhatGotNoAnswerIsAskedAgainAndDecidesTheSame) {
  Run();
  const Words undisturbed = Kept();
  store_name_ = "disturbed.db";
  landscape_.unreachable = {5};
  const RunResult first = Run();
  EXPECT_EQ(first.asking.open, 1);
  EXPECT_EQ(Asks().size(), 7U) << "three may be open, of which 5 is the first";
  landscape_.unreachable.clear();
  Run();
  EXPECT_EQ(Kept(), undisturbed);
}

TEST_F(SearchesTest, BudgetLeavesTheBestJudgedAgainAndALargerOneGoesOn) {
  Run();
  const std::vector<Decision> undisturbed = Log();
  store_name_ = "budget.db";
  plan_.asking.budget.usd = 1.5;
  const RunResult first = Run();
  EXPECT_TRUE(first.asking.budget_reached);
  EXPECT_EQ(first.asking.answered, 6);
  EXPECT_TRUE(first.evaluations.back().confirms);
  plan_.asking.budget.usd = 100;
  Run();
  EXPECT_EQ(Log(), undisturbed);
}

TEST_F(SearchesTest, EveryPartOfABudgetEndsTheRun) {
  const auto ended_by = [&](const Budget& budget, int64_t answers) {
    store_name_ = fmt::format("budget_{}.db", ++budgets_);
    plan_.asking.budget = budget;
    const RunResult result = Run();
    EXPECT_EQ(result.asking.answered, answers);
    return std::string(result.asking.budget_reached.value_or(""));
  };
  model_.concurrency = 1;
  Search("refinement:parallel=1", 12);
  Budget budget;
  budget.answers = 7;
  EXPECT_EQ(ended_by(budget, 7), "--max-answers");
  budget = {};
  budget.tokens = 560;  // 110 each
  EXPECT_EQ(ended_by(budget, 5), "--max-run-tokens");
  budget = {};
  budget.device_seconds = 6;  // 2 each
  EXPECT_EQ(ended_by(budget, 3), "--max-device-seconds");
  budget = {};
  budget.minutes = 1e-9;
  EXPECT_EQ(ended_by(budget, 0), "--max-minutes");
}

// Four problems that differ in how far their programs can get: what a search of
// one finds ends there.
TEST_F(SearchesTest, HalvingGivesAnswersToWhatStillGains) {
  for (int64_t i = 1; i < 4; ++i) {
    record::Problem problem = *problem_;
    problem.id = fmt::format("level1/{}", 19 + i);
    landscape_.most_bits[problem.id] = i == 2 ? 8 : 1;
    plan_.samples.push_back({static_cast<size_t>(i),
                             std::make_shared<const record::Problem>(problem),
                             0});
  }
  landscape_.most_bits["level1/19"] = 1;
  Search("refinement:parallel=1", 6);
  plan_.halving = 2;
  Run();
  // Two rounds of 12: three each of four, then six each of two: of the one that
  // gains, and of the first of the others, which are all alike.
  std::map<std::string, int64_t> answers;
  for (const Decision& line : Log())
    answers[line.problem_id] += line.ask ? 1 : 0;
  EXPECT_EQ(answers, (std::map<std::string, int64_t>{{"level1/19", 9},
                                                     {"level1/20", 3},
                                                     {"level1/21", 9},
                                                     {"level1/22", 3}}));
  EXPECT_EQ(observer_.ended, 4);
  EXPECT_EQ(Best(), 9) << "uniformly six answers reach 7";
  // The same command finds nothing left to do.
  EXPECT_EQ(Run().asking.answered, 0);
}

TEST_F(SearchesTest, HalvingThatIsKilledGivesOutTheSame) {
  record::Problem problem = *problem_;
  problem.id = "level1/20";
  plan_.samples.push_back(
      {1, std::make_shared<const record::Problem>(problem), 0});
  landscape_.most_bits["level1/19"] = 2;
  Search("islands:parallel=2", 8);
  plan_.halving = 2;
  store_name_ = "undisturbed.db";
  ASSERT_TRUE(EndsWell([this] { Run(); }));
  const auto decided = [&] {
    Words lines;
    for (const Decision& line : Log())
      if (line.ask)
        lines.push_back(line.problem_id +
                        base::DumpJson(record::ToJson(*line.ask)));
    std::ranges::sort(lines);
    return lines;
  };
  const Words undisturbed = decided();
  base::Sequence random(6);
  for (int kill = 0; kill < 6; ++kill) {
    store_name_ = fmt::format("killed_{}.db", kill);
    landscape_.events_to_live = 1 + static_cast<int64_t>(random.Below(25));
    EXPECT_FALSE(EndsWell([this] { Run(); }));
    landscape_.events_to_live = -1;
    ASSERT_TRUE(EndsWell([this] { Run(); }));
    EXPECT_EQ(decided(), undisturbed) << kill;
  }
}

TEST_F(SearchesTest, MoreTurnsGoOnFromTheLog) {
  Run();
  const auto before = Asks();
  Search("islands:parallel=3", 20);
  const RunResult result = Run();
  EXPECT_EQ(result.asking.answered, 8);
  const auto after = Asks();
  ASSERT_EQ(after.size(), 20U);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
}

TEST_F(SearchesTest, OtherStrategyIsRefused) {
  Run();
  Search("beam:parallel=3", 12);
  store::Store store = Open();
  const auto result = run::Run(plan_, &store, &observer_, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), base::Error::Kind::kUsage);
}

TEST_F(SearchesTest, BeginsWithTheBestProgramOfAnotherRun) {
  Run();
  const double best = Best();
  const auto given = GivenFrom(Open(), "first", plan_.samples.at(0), 0, {});
  ASSERT_TRUE(given && *given);
  EXPECT_EQ(1 + std::popcount(NumbersIn((*given)->source).at(0)), best);
  store_name_ = "second.db";
  conversation_.given.emplace(problem_->id, **given);
  Search("islands:parallel=1", 3);
  Run();
  EXPECT_EQ(landscape_.asked.size(), 2U) << "nobody is asked for the first";
  const auto asks = Asks();
  EXPECT_EQ(asks[0].kind, record::AskKind::kGiven);
  EXPECT_EQ(asks[1].kind, record::AskKind::kMutation);
  EXPECT_EQ(Log()[1].told->speedup, best) << "it is judged here as well";
  const auto kept = Open().Generations();
  EXPECT_EQ(kept->at(0).usd, 0);
  EXPECT_TRUE(kept->at(0).served_model.starts_with("from first/0:"));
  EXPECT_EQ(Run().asking.spent.answers, 2) << "nobody was asked for it";
}

TEST_F(SearchesTest, BeginsWithNothingThatTwoModelsHave) {
  Run();
  const auto ours = Open().Generations();
  ASSERT_TRUE(ours);
  Generation other = ours->at(0);
  other.model = "other";
  ASSERT_TRUE(Open().Append(other));
  for (const std::optional<int64_t> turn :
       {std::optional<int64_t>(), std::optional<int64_t>(1)}) {
    const auto given = GivenFrom(Open(), "both", plan_.samples.at(0), 0, turn);
    ASSERT_FALSE(given);
    EXPECT_EQ(given.error().kind(), base::Error::Kind::kUsage);
    EXPECT_NE(given.error().message().find("a-model, other"),
              std::string::npos);
  }
}

TEST_F(SearchesTest, LogIsReplayedWithAnotherModel) {
  Run();
  const auto asks = Asks();
  conversation_.replayed = Log();
  store_name_ = "again.db";
  model_.name = "other";
  conversation_.search->seed = 99;  // would decide otherwise
  Run();
  EXPECT_EQ(Asks(), asks);
}

TEST_F(SearchesTest, LogOfTheSameProblemIsReplayed) {
  Run();
  const auto asks = Asks();
  conversation_.replayed = Log();
  std::vector<Decision> other = Log();
  for (Decision& line : other) line.problem_hash = "at another size";
  std::ranges::move(other, std::back_inserter(conversation_.replayed));
  store_name_ = "again.db";
  Run();
  EXPECT_EQ(Asks(), asks);
}

TEST_F(SearchesTest, LogsOfSeveralModelsOrWithAGapAreNotReplayed) {
  Run();
  std::vector<Decision> both = Log();
  std::vector<Decision> other = Log();
  for (Decision& line : other) line.model = "other";
  std::ranges::move(other, std::back_inserter(both));
  std::vector<Decision> gap = Log();
  gap.erase(gap.begin());
  for (const auto& [replayed, said] :
       {std::pair(both, "one of a-model and one of other"),
        std::pair(gap, "where turn 1 should be")}) {
    conversation_.replayed = replayed;
    store_name_ = "again.db";
    store::Store store = Open();
    const auto result = run::Run(plan_, &store, &observer_, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind(), base::Error::Kind::kUsage);
    EXPECT_NE(result.error().message().find(said), std::string::npos)
        << result.error().message();
  }
}

TEST_F(SearchesTest, SearchThatIsKilledTwentyTimesDecidesAsUndisturbed) {
  store_name_ = "undisturbed.db";
  ASSERT_TRUE(EndsWell([this] { Run(); }));
  const Words undisturbed = Kept();
  ASSERT_EQ(undisturbed.size(), 12U + 13U + 24U);
  base::Sequence random(18);
  for (int kill = 0; kill < 20; ++kill) {
    store_name_ = fmt::format("killed_{}.db", kill);
    // Twice, each after some of the 25 events.
    for (int twice = 0; twice < 2; ++twice) {
      landscape_.events_to_live = 1 + static_cast<int64_t>(random.Below(12));
      EXPECT_FALSE(EndsWell([this] { Run(); }));
    }
    landscape_.events_to_live = -1;
    ASSERT_TRUE(EndsWell([this] { Run(); }));
    EXPECT_EQ(Kept(), undisturbed) << kill;
  }
}

}  // namespace
}  // namespace kb::run
