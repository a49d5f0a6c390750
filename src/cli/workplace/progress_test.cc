#include "workplace/progress.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::workplace {
namespace {

using record::Evaluation;
using record::Verdict;

Evaluation With(std::optional<Verdict> verdict) {
  Evaluation evaluation;
  evaluation.problem_id = "level1/19";
  evaluation.verdict = verdict;
  return evaluation;
}

TEST(ResultLine, IsAVerdictInWordsAndItsSpeedup) {
  EXPECT_EQ(ResultLine(With(Verdict::kNotCertified)), "not certified");
  EXPECT_EQ(ResultLine(With(std::nullopt)), "not run");
  Evaluation fast = With(Verdict::kCorrect);
  fast.speedup = record::Interval{1.826, 1.8, 1.858};
  EXPECT_EQ(ResultLine(fast), "correct 1.83x [1.80, 1.86]");
}

TEST(Progress, SaysResultsAsTheyComeAndKeepsThemInOrder) {
  testing::internal::CaptureStderr();
  Progress progress({"one", "two", "three"}, nullptr);
  progress.OnStep(1, "compiling");
  progress.OnDone(1, With(Verdict::kTimeout));
  progress.OnDone(0, With(Verdict::kCorrect));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[1/3] two: timeout\n[2/3] one: correct\n");
  const auto results = progress.TakeResults();
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0]->verdict, Verdict::kCorrect);
  EXPECT_EQ(results[1]->verdict, Verdict::kTimeout);
  EXPECT_FALSE(results[2]) << "was not judged";
}

TEST(Progress, ResultsAreInTheStoreAtOnce) {
  const auto folder = os::TempDir::Create("kb-progress");
  ASSERT_TRUE(folder);
  auto store = store::Store::Open(folder->path() + "/run.db");
  ASSERT_TRUE(store) << store.error().message();
  testing::internal::CaptureStderr();
  Progress progress({"one", "two"}, &*store);
  progress.OnDone(1, With(Verdict::kRejected));
  testing::internal::GetCapturedStderr();
  EXPECT_FALSE(progress.store_error());
  const auto kept = store->Evaluations();
  ASSERT_TRUE(kept) << kept.error().message();
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_EQ(kept->front().verdict, Verdict::kRejected);
}

std::string LineOf(const record::Baseline& baseline) {
  testing::internal::CaptureStderr();
  BaselineProgress progress;
  progress.OnStep(1, 4, baseline.problem_id, baseline.mode, "loading");
  EXPECT_TRUE(progress.OnMeasured(1, 4, baseline));
  return testing::internal::GetCapturedStderr();
}

TEST(BaselineProgress, SaysTheTimeOrWhyThereIsNone) {
  record::Baseline baseline;
  baseline.problem_id = "level1/19";
  baseline.mode = record::BaselineMode::kCudagraphs;
  baseline.reason = "cannot be captured";
  EXPECT_EQ(LineOf(baseline),
            "[2/4] level1/19 compile-cudagraphs: - (cannot be captured)\n");
  baseline.reason = "";
  baseline.time.emplace().median = 1240;
  EXPECT_EQ(LineOf(baseline), "[2/4] level1/19 compile-cudagraphs: 1.24 ms\n");
}

}  // namespace
}  // namespace kb::workplace
