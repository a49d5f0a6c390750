#include "verdicts.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::cli {
namespace {

using workplace::ExitCode;

using record::Evaluation;
using record::Verdict;
using Show = Verdicts::Show;

eval::Task TaskCalled(const std::string& name) {
  eval::Task task;
  task.problem.id = "level1/19";
  task.candidate.name = name;
  return task;
}

Evaluation With(std::optional<Verdict> verdict) {
  Evaluation evaluation;
  evaluation.problem_id = "level1/19";
  evaluation.verdict = verdict;
  return evaluation;
}

// Of a call whose tasks came to these.
ExitCode ExitCodeOf(const std::vector<std::optional<Verdict>>& came) {
  Verdicts verdicts(Show::kLater, nullptr);
  for (const auto& verdict : came)
    verdicts.OnDone(verdicts.Expect(TaskCalled("k.cu"), {}), With(verdict));
  return verdicts.exit_code();
}

TEST(Verdicts, ExitCodeIsZeroWhenAllAreCorrect) {
  EXPECT_EQ(ExitCodeOf({}), ExitCode::kDone);
  EXPECT_EQ(ExitCodeOf({Verdict::kCorrect, Verdict::kCorrect}),
            ExitCode::kDone);
}

TEST(Verdicts, ExitCodeIsOneWhenSomeAreNot) {
  for (const auto verdict : {Verdict::kIncorrect, Verdict::kNotCertified,
                             Verdict::kCompileError, Verdict::kTimeout})
    EXPECT_EQ(ExitCodeOf({Verdict::kCorrect, verdict}), ExitCode::kNo);
  EXPECT_EQ(ExitCodeOf({std::nullopt}), ExitCode::kNo) << "nothing was run";
}

TEST(Verdicts, ExitCodeIsThreeWhenWeFailed) {
  EXPECT_EQ(ExitCodeOf({Verdict::kIncorrect, Verdict::kInfraError}),
            ExitCode::kOurFailure);
}

TEST(Verdicts, ATaskWithoutAVerdictIsOurFailure) {
  Verdicts verdicts(Show::kLater, nullptr);
  verdicts.OnDone(verdicts.Expect(TaskCalled("a.cu"), {}),
                  With(Verdict::kCorrect));
  verdicts.Expect(TaskCalled("b.cu"), {});
  EXPECT_EQ(verdicts.exit_code(), ExitCode::kOurFailure);
}

TEST(Verdicts, AreTakenInTheOrderInWhichTheyWereExpected) {
  Verdicts verdicts(Show::kLater, nullptr);
  const size_t first = verdicts.Expect(TaskCalled("a.cu"), {});
  const size_t second = verdicts.Expect(TaskCalled("b.cu"), {});
  verdicts.Expect(TaskCalled("c.cu"), {});
  verdicts.OnDone(second, With(Verdict::kTimeout));
  verdicts.OnDone(first, With(Verdict::kCorrect));
  EXPECT_EQ(verdicts.expected(), 3U);
  const auto taken = verdicts.TakeEvaluations();
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(taken[0]->verdict, Verdict::kCorrect);
  EXPECT_EQ(taken[1]->verdict, Verdict::kTimeout);
  EXPECT_FALSE(taken[2]) << "was not judged";
}

TEST(Verdicts, SummaryCountsByName) {
  Verdicts verdicts(Show::kLater, nullptr);
  for (const auto& verdict :
       {std::optional(Verdict::kCorrect), std::optional(Verdict::kIncorrect),
        std::optional(Verdict::kCorrect), std::optional<Verdict>()})
    verdicts.OnDone(verdicts.Expect(TaskCalled("k.cu"), {}), With(verdict));
  EXPECT_EQ(verdicts.Summary(),
            "4 candidates: 2 correct, 1 incorrect, 1 not_run");
}

TEST(Verdicts, ALineOfEachCarriesItsIdBack) {
  Verdicts verdicts(Show::kAsLines, nullptr);
  const size_t index = verdicts.Expect(TaskCalled("a.cu"), {{"mine", 7}});
  testing::internal::CaptureStdout();
  verdicts.OnDone(index, With(Verdict::kCorrect));
  verdicts.Refuse("second", "no such problem");
  const std::string said = testing::internal::GetCapturedStdout();
  const size_t end = said.find('\n');
  const auto verdict = base::ParseJson(said.substr(0, end), "a line");
  const auto refused = base::ParseJson(said.substr(end + 1), "a line");
  ASSERT_TRUE(verdict && refused) << said;
  EXPECT_EQ((*verdict)["id"]["mine"], 7);
  EXPECT_EQ((*verdict)["verdict"], "correct");
  EXPECT_EQ((*refused)["id"], "second");
  EXPECT_EQ((*refused)["error"], "no such problem");
  EXPECT_EQ(verdicts.exit_code(), ExitCode::kUsage) << "something was refused";
}

TEST(Verdicts, AreKeptInTheStore) {
  const auto folder = os::TempDir::Create("kb-verdicts");
  ASSERT_TRUE(folder);
  auto store = store::Store::Open(folder->path() + "/results.db");
  ASSERT_TRUE(store) << store.error().message();
  Verdicts verdicts(Show::kLater, &*store);
  verdicts.OnDone(verdicts.Expect(TaskCalled("a.cu"), {}),
                  With(Verdict::kCorrect));
  EXPECT_FALSE(verdicts.store_error());
  const auto kept = store->Evaluations();
  ASSERT_TRUE(kept) << kept.error().message();
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_EQ(kept->front().verdict, Verdict::kCorrect);
}

}  // namespace
}  // namespace kb::cli
