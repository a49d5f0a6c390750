#include "eval/every_size.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "base/hash.h"

namespace kb::eval {
namespace {

using record::Evaluation;
using record::Interval;
using record::Size;
using record::Verdict;
using Words = std::vector<std::string>;

Size Named(const char* name) { return *record::ParseSize(name); }

Evaluation Judged(const char* size, Verdict verdict) {
  Evaluation e;
  e.size = Named(size);
  e.problem_hash = std::string("hash of ") + size;
  e.verdict = verdict;
  e.reason = verdict == Verdict::kCorrect ? "all agree" : "3 are wrong";
  e.wall_seconds = 2;
  return e;
}

Evaluation Timed(const char* size, const Interval& speedup) {
  Evaluation e = Judged(size, Verdict::kCorrect);
  e.speedup = speedup;
  e.wall_speedup = Interval{1, 1, 1};
  e.candidate_time.emplace().median = 7;
  e.trials.resize(3);
  return e;
}

Evaluation Over(const std::vector<Evaluation>& at) {
  return OverSizes(Named("all"), "hash of all", at);
}

TEST(OverSizes, SpeedupIsTheGeometricMeanWithIndependentErrors) {
  const Evaluation over = Over({Timed("full", {2, 2 / 1.5, 2 * 1.5}),
                                Timed("wide", {0.5, 0.5 / 1.5, 0.5 * 1.5})});
  ASSERT_TRUE(over.speedup);
  EXPECT_NEAR(over.speedup->estimate, 1, 1e-12);
  EXPECT_NEAR(over.speedup->high, std::pow(1.5, 1 / std::sqrt(2)), 1e-12);
  EXPECT_NEAR(over.speedup->low, std::pow(1.5, -1 / std::sqrt(2)), 1e-12);
  EXPECT_NEAR(over.wall_speedup->estimate, 1, 1e-12);
}

TEST(OverSizes, EachKeepsWhatItShowed) {
  const Evaluation over =
      Over({Timed("full", {2, 1, 3}), Timed("wide", {4, 3, 5})});
  EXPECT_EQ(over.verdict, Verdict::kCorrect);
  EXPECT_EQ(over.reason, "correct at full and wide: all agree");
  EXPECT_EQ(record::SizeName(over.size), "all");
  EXPECT_EQ(over.problem_hash, "hash of all");
  EXPECT_EQ(over.wall_seconds, 4);
  EXPECT_FALSE(over.candidate_time) << "of which size?";
  EXPECT_TRUE(over.trials.empty());
  ASSERT_EQ(over.sizes->size(), 2U);
  const record::AtSize& wide = over.sizes->back();
  EXPECT_EQ(wide.size, Named("wide"));
  EXPECT_EQ(wide.problem_hash, "hash of wide");
  EXPECT_EQ(wide.speedup->estimate, 4);
  EXPECT_EQ(wide.candidate_time->median, 7);
  EXPECT_EQ(wide.trials.size(), 3U);
}

TEST(OverSizes, FirstThatIsNotCorrectDecidesAndIsNamed) {
  Evaluation wrong = Judged("wide", Verdict::kIncorrect);
  wrong.mismatch.emplace().wrong = 3;
  const Evaluation over = Over({Timed("full", {2, 1, 3}), wrong});
  EXPECT_EQ(over.verdict, Verdict::kIncorrect);
  EXPECT_EQ(over.reason, "at size wide: 3 are wrong (correct at full)");
  EXPECT_EQ(over.mismatch->wrong, 3);
  EXPECT_FALSE(over.speedup) << "full's alone says nothing of all";
  EXPECT_EQ(over.sizes->front().speedup->estimate, 2);
}

TEST(OverSizes, OneWithoutASpeedupLeavesNone) {
  Evaluation untimed = Judged("wide", Verdict::kCorrect);
  const Evaluation over = Over({Timed("full", {2, 1, 3}), untimed});
  EXPECT_EQ(over.verdict, Verdict::kCorrect);
  EXPECT_FALSE(over.speedup);
  EXPECT_EQ(over.notes,
            Words{"no speedup over all sizes: there is none at wide"});
  EXPECT_TRUE(Over({untimed, untimed}).notes.empty()) << "nothing was timed";
}

TEST(OverSizes, RemarksSayOfWhichSizesTheyAreUnlessOfAll) {
  std::vector<Evaluation> at{Judged("full", Verdict::kCorrect),
                             Judged("tall", Verdict::kCorrect),
                             Judged("wide", Verdict::kCorrect)};
  for (Evaluation& each : at) each.notes = {"of all"};
  at[1].notes.emplace_back("of two");
  at[2].notes.emplace_back("of two");
  at[0].notes.emplace_back("of one");
  EXPECT_EQ(Over(at).notes,
            (Words{"of all", "at full: of one", "at tall and wide: of two"}));
}

// What a session would see, and what is handed on.
class Shown : public Observer {
 public:
  void OnStep(size_t index, const std::string& step) override {
    said.push_back(fmt::format("{} {}", index, step));
  }
  void OnDone(size_t index, const Evaluation& evaluation) override {
    said.push_back(fmt::format("{} done at {}: {}", index,
                               record::SizeName(evaluation.size),
                               record::VerdictName(*evaluation.verdict)));
    last = evaluation;
  }
  Words said;
  Evaluation last;
};

class EverySizeTest : public testing::Test {
 protected:
  static record::Problem ProblemAt(const char* size) {
    record::Problem problem;
    problem.size = Named(size);
    problem.source = size;
    return problem;
  }
  static Task At3() {
    Task task;
    task.problem = ProblemAt("full");
    task.further = {ProblemAt("tall"), ProblemAt("wide")};
    task.several = Named("all");
    return task;
  }

  // Judges what is in the queue until it is closed; none at `wrong_at` is
  // right.
  Words JudgeAll(const char* wrong_at) {
    Words judged;
    while (const auto taken = sizes_.queue()->Take({})) {
      const auto& [index, task] = *taken;
      EXPECT_TRUE(task.further.empty());
      const std::string size = record::SizeName(task.problem.size);
      judged.push_back(fmt::format("{} {}", index, size));
      sizes_.OnStep(index, "loading");
      Evaluation e = Judged(size.c_str(), size == wrong_at ? Verdict::kIncorrect
                                                           : Verdict::kCorrect);
      e.problem_hash = task.problem.Hash();
      sizes_.OnDone(index, e);
    }
    return judged;
  }

  Shown shown_;
  EverySize sizes_{&shown_};
};

TEST_F(EverySizeTest, JudgesOneAfterTheOtherAndClosesWhenAllAreDone) {
  sizes_.Add(4, At3());
  sizes_.Close();
  EXPECT_EQ(JudgeAll("none"), (Words{"4 full", "4 tall", "4 wide"}));
  EXPECT_EQ(shown_.said, (Words{"4 full: loading", "4 tall: loading",
                                "4 wide: loading", "4 done at all: correct"}));
  EXPECT_EQ(shown_.last.problem_hash,
            base::Sha256(ProblemAt("full").Hash() + ProblemAt("tall").Hash() +
                         ProblemAt("wide").Hash()));
}

TEST_F(EverySizeTest, StopsAtTheFirstThatIsNotCorrect) {
  sizes_.Add(0, At3());
  sizes_.Close();
  EXPECT_EQ(JudgeAll("tall"), (Words{"0 full", "0 tall"}));
  EXPECT_EQ(shown_.said.back(), "0 done at all: incorrect");
  EXPECT_EQ(shown_.last.sizes->size(), 2U);
}

TEST_F(EverySizeTest, TasksAtOneSizePassThroughAsTheyAre) {
  Task one;
  one.problem = ProblemAt("tall");
  sizes_.Add(0, one);
  sizes_.Add(1, At3());
  sizes_.Close();
  EXPECT_EQ(JudgeAll("full"), (Words{"0 tall", "1 full"}));
  EXPECT_EQ(shown_.said,
            (Words{"0 loading", "0 done at tall: correct", "1 full: loading",
                   "1 done at all: incorrect"}));
}

// As two turns of one sample of a search.
TEST_F(EverySizeTest, TasksOfOneIndexAreToldApartByTheirTurns) {
  Task second = At3();
  second.turn = 2;
  sizes_.Add(7, At3());
  sizes_.Add(7, second);
  sizes_.Close();
  Words judged;
  while (const auto taken = sizes_.queue()->Take({})) {
    const Task& task = taken->second;
    judged.push_back(
        fmt::format("{} {}", task.turn, record::SizeName(task.problem.size)));
    Evaluation e =
        Judged(record::SizeName(task.problem.size).c_str(),
               task.turn == 2 ? Verdict::kIncorrect : Verdict::kCorrect);
    e.turn = task.turn;
    sizes_.OnDone(7, e);
  }
  EXPECT_EQ(judged, (Words{"1 full", "2 full", "1 tall", "1 wide"}));
  EXPECT_EQ(shown_.said,
            (Words{"7 done at all: incorrect", "7 done at all: correct"}));
}

TEST(HashOver, IsTheProblemsOwnWhereThereIsNoFurtherSize) {
  record::Problem problem;
  problem.source = "a";
  record::Problem other;
  other.source = "b";
  EXPECT_EQ(HashOver(problem, {}), problem.Hash());
  EXPECT_NE(HashOver(problem, {other}), problem.Hash());
}

TEST_F(EverySizeTest, StaysOpenUntilItIsClosed) {
  sizes_.Add(0, At3());
  std::jthread later;
  const auto first = sizes_.queue()->Take({});
  ASSERT_TRUE(first);
  sizes_.OnDone(0, Judged("full", Verdict::kTimeout));
  later = std::jthread([&] {
    sizes_.Add(1, At3());
    sizes_.Close();
  });
  EXPECT_EQ(JudgeAll("full"), Words{"1 full"});
}

}  // namespace
}  // namespace kb::eval
