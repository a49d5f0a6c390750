#include "analysis/baseline.h"

#include <gtest/gtest.h>

namespace kb::analysis {
namespace {

using record::Baseline;
using record::BaselineMode;

Baseline Of(const std::string& hash, BaselineMode mode, double time,
            double eager) {
  Baseline b;
  b.problem_hash = hash;
  b.device.name = "H200";
  b.device.driver = "580";
  b.device.torch = "2.11";
  b.mode = mode;
  b.time.emplace().median = time;
  b.eager.emplace().median = eager;
  return b;
}

Entry Of(const std::string& hash, std::optional<double> speedup) {
  Entry entry;
  entry.outcome.problem_hash = hash;
  entry.outcome.device_name = "H200";
  entry.outcome.driver = "580";
  entry.outcome.torch = "2.11";
  entry.outcome.verdict = record::Verdict::kCorrect;
  entry.outcome.speedup = speedup;
  if (speedup) entry.outcome.ruler = record::kRulerVersion;
  return entry;
}

TEST(Rebase, ScalesByTheModesTimeOverEagers) {
  std::vector<Entry> entries{Of("a", 3), Of("a", std::nullopt)};
  const std::vector<Baseline> baselines{
      Of("a", BaselineMode::kCompile, 50, 100),
      Of("a", BaselineMode::kMaxAutotune, 25, 100)};
  EXPECT_EQ(Rebase(&entries, baselines, {BaselineMode::kCompile}), 0);
  EXPECT_DOUBLE_EQ(*entries[0].outcome.speedup, 1.5);
  EXPECT_FALSE(entries[1].outcome.speedup);
}

// With TF32 products are several times as fast.
TEST(Rebase, IsOverABaselineOfTheSameTf32) {
  Baseline strict = Of("a", BaselineMode::kCompile, 50, 100);
  strict.tf32 = "cudnn";
  Baseline loose = Of("a", BaselineMode::kCompile, 400, 100);
  loose.tf32 = "cudnn+matmul";
  for (const auto& [tf32, speedup] :
       {std::pair("cudnn", 1.0), std::pair("cudnn+matmul", 8.0)}) {
    std::vector<Entry> entries{Of("a", 2)};
    entries[0].outcome.tf32 = tf32;
    Rebase(&entries, {strict, loose}, {BaselineMode::kCompile});
    EXPECT_DOUBLE_EQ(entries[0].outcome.speedup.value_or(0), speedup);
  }
  std::vector<Entry> entries{Of("a", 2)};
  entries[0].outcome.tf32 = "none";
  EXPECT_EQ(Rebase(&entries, {strict, loose}, {BaselineMode::kCompile}), 1);
  EXPECT_FALSE(entries[0].outcome.speedup);
}

TEST(Rebase, EagerChangesNothing) {
  std::vector<Entry> entries{Of("a", 3)};
  EXPECT_EQ(Rebase(&entries, {}, {BaselineMode::kEager}), 0);
  EXPECT_EQ(entries[0].outcome.speedup, 3);
}

TEST(Rebase, WhatHasNoBaselineLosesItsSpeedupAndStays) {
  std::vector<Entry> entries{Of("a", 3), Of("b", 3), Of("a", 2)};
  entries[2].outcome.driver = "590";
  Baseline failed = Of("b", BaselineMode::kCompile, 1, 1);
  failed.time.reset();
  EXPECT_EQ(Rebase(&entries, {Of("a", BaselineMode::kCompile, 50, 100), failed},
                   {BaselineMode::kCompile}),
            2);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_DOUBLE_EQ(*entries[0].outcome.speedup, 1.5);
  EXPECT_FALSE(entries[0].without_baseline);
  for (const size_t i : {1, 2}) {
    EXPECT_FALSE(entries[i].outcome.speedup);
    EXPECT_TRUE(entries[i].without_baseline);
  }
}

// It is correct, and how fast nobody can say; what ran here untimed is not.
TEST(Rebase, AnImportThatCameWithoutItsBaselineSaysSo) {
  std::vector<Entry> entries{Of("a", std::nullopt), Of("b", std::nullopt),
                             Of("c", std::nullopt)};
  entries[0].outcome.torch.clear();
  entries[1].outcome.torch.clear();
  entries[1].outcome.verdict = record::Verdict::kIncorrect;
  EXPECT_EQ(Rebase(&entries, {}, {BaselineMode::kEager}), 0) << "none lost it";
  EXPECT_TRUE(entries[0].without_baseline);
  EXPECT_FALSE(entries[1].without_baseline);
  EXPECT_FALSE(entries[2].without_baseline);
}

TEST(Rebase, OverTheFasterOfSeveralModes) {
  std::vector<Entry> entries{Of("a", 3), Of("b", 3), Of("c", 3), Of("d", 3)};
  Baseline failed = Of("c", BaselineMode::kCompile, 1, 1);
  failed.time.reset();
  EXPECT_EQ(Rebase(&entries,
                   {Of("a", BaselineMode::kCompile, 50, 100),
                    Of("b", BaselineMode::kCompile, 200, 100), failed},
                   *BaselineModesOf("eager-or-compile")),
            1);
  EXPECT_DOUBLE_EQ(*entries[0].outcome.speedup, 1.5);  // compile
  EXPECT_DOUBLE_EQ(*entries[1].outcome.speedup, 3);    // eager
  EXPECT_DOUBLE_EQ(*entries[2].outcome.speedup, 3);    // does not compile
  EXPECT_TRUE(entries[3].without_baseline);            // was not tried
}

TEST(BaselineModesOf, AnUnknownNameListsThoseThatThereAre) {
  const auto modes = BaselineModesOf("inductor");
  ASSERT_FALSE(modes);
  EXPECT_NE(modes.error().message().find("compile, "), std::string::npos);
  EXPECT_NE(modes.error().message().find("eager-or-compile"),
            std::string::npos);
}

TEST(Rebase, TimesOfAnotherRulerAreNotUsed) {
  Baseline old = Of("a", BaselineMode::kCompile, 50, 100);
  old.ruler = 1;
  std::vector<Entry> entries{Of("a", 3)};
  EXPECT_EQ(Rebase(&entries, {old}, {BaselineMode::kCompile}), 1);
  EXPECT_TRUE(entries[0].without_baseline);
  entries = {Of("a", 3)};
  entries[0].outcome.ruler = 1;
  EXPECT_EQ(Rebase(&entries, {old}, {BaselineMode::kCompile}), 0);
  EXPECT_DOUBLE_EQ(*entries[0].outcome.speedup, 1.5);
}

TEST(Rebase, WhatFailedNeedsNoBaseline) {
  std::vector<Entry> entries{Of("a", std::nullopt), Of("b", std::nullopt)};
  entries[0].outcome.unusable = record::GenerationStatus::kNoCode;
  entries[1].outcome.verdict = record::Verdict::kCompileError;
  EXPECT_EQ(Rebase(&entries, {}, {BaselineMode::kCompile}), 0);
  EXPECT_EQ(entries.size(), 2U);
  EXPECT_FALSE(entries[0].without_baseline);
}

}  // namespace
}  // namespace kb::analysis
