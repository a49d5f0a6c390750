#include "analysis/measured.h"

#include <gtest/gtest.h>

namespace kb::analysis {
namespace {

Entry Timed(const char* run, record::Precision precision, double first_us) {
  Entry entry;
  entry.run = run;
  entry.outcome.ruler = record::kRulerVersion;
  entry.outcome.precision = precision;
  entry.outcome.candidate_us = 10;
  entry.outcome.first_us = first_us;
  return entry;
}

TEST(Measured, IsOfEachRunsOwnTimedSamples) {
  using enum record::Precision;
  std::vector<Entry> entries{Timed("a", kFp32, 0.1e6), Timed("a", kBf16, 3e6),
                             Timed("a", kFp32, 0.6e6), Timed("b", kFp32, 310e6),
                             Timed("c", kFp32, 9e6),   Timed("d", kFp32, 9e6)};
  entries[3].outcome.warm = true;
  entries[4].outcome.ruler = 0;             // imported
  entries[5].outcome.candidate_us.reset();  // wrong
  const auto runs = MeasuredByRun(entries);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(ConditionsOf(runs.at("a")),
            "fp32 and bf16, cold caches, the oracle's clock");
  EXPECT_EQ(FirstCallsOf(runs.at("a")), "0.6 s in the middle, 3 s at most");
  EXPECT_EQ(ConditionsOf(runs.at("b")),
            "fp32, warm caches, the oracle's clock");
  EXPECT_EQ(FirstCallsOf(runs.at("b")), "310 s in the middle, 310 s at most");
}

TEST(Measured, BothStatesOfCachesAreSaid) {
  std::vector<Entry> entries(2, Timed("a", record::Precision::kFp32, 1e6));
  entries[1].outcome.warm = true;
  EXPECT_EQ(ConditionsOf(MeasuredByRun(entries).at("a")),
            "fp32, cold and warm caches, the oracle's clock");
}

}  // namespace
}  // namespace kb::analysis
