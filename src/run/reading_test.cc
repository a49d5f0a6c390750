#include "run/reading.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "os/files.h"
#include "store/store.h"

namespace kb::run {
namespace {

const std::string kPrompts = KB_SOURCE_DIR "/share/prompts";

TEST(Roofline, OfADeviceWithTf32IsThatOfItsTensorCores) {
  const auto roofline = RooflineOf(kPrompts, "NVIDIA A100-SXM4-80GB");
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->tflops, 156);
  EXPECT_EQ(roofline->precision, "TF32 tensor cores");
}

TEST(Roofline, OfADeviceWithoutTf32IsThatOfFp32) {
  const auto roofline = RooflineOf(kPrompts, "Tesla T4");
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->tflops, 8.1);
  EXPECT_EQ(roofline->precision, "fp32");
}

TEST(Roofline, OfADeviceWithoutADataSheetIsNotKnown) {
  EXPECT_FALSE(RooflineOf(kPrompts, "cpu"));
  EXPECT_FALSE(RooflineOf(kPrompts, "Tesla T4000"));
}

// One correct evaluation of level1/19 at full size that took `candidate_us`.
record::Evaluation Took(double candidate_us, const record::Ceilings& ceilings) {
  record::Evaluation evaluation;
  evaluation.problem_id = "level1/19";
  evaluation.verdict = record::Verdict::kCorrect;
  evaluation.device.name = "NVIDIA H200";
  evaluation.candidate_time.emplace().median = candidate_us;
  evaluation.speedup = record::Interval{2, 2, 2};
  record::Ruler& ruler = evaluation.ruler.emplace();
  ruler.ceilings = ceilings;
  ruler.floor_us = 2500;
  return evaluation;
}

TEST(ReadRuns, HoldsTimesAgainstWhatTheirResultsCarry) {
  auto folder = os::TempDir::Create("kb-reading");
  ASSERT_TRUE(folder);
  ::setenv("XDG_DATA_HOME", folder->path().c_str(), 1);
  const std::string path = folder->path() + "/run.db";
  {
    auto store = store::Store::Open(path);
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->Append(Took(6442, {4000, 50, 400, 790, 800})));
    ASSERT_TRUE(store->Append(Took(6442, {})));
    ASSERT_TRUE(store->Append(Took(3, {4000, 50, 400, 790, 800})));
  }
  const auto pack = problems::Pack::Open(KB_SOURCE_DIR "/problems");
  ASSERT_TRUE(pack);
  const auto reading = ReadRuns({path}, *pack, "eager");
  ASSERT_TRUE(reading) << reading.error().message();
  ASSERT_EQ(reading->entries.size(), 3U);
  const analysis::Entry& measured = reading->entries[0];
  EXPECT_EQ(measured.outcome.verdict, record::Verdict::kCorrect);
  // 12.9 GB at 4 TB/s, in twice that time.
  EXPECT_NEAR(measured.roofline.value_or(0), 0.5, 0.001);
  EXPECT_FALSE(measured.by_data_sheet);
  EXPECT_EQ(reading->entries[2].outcome.verdict,
            record::Verdict::kNotCertified);
  EXPECT_FALSE(reading->entries[2].outcome.speedup);
  ::unsetenv("XDG_DATA_HOME");
}

TEST(KeepBestTurns, LeavesOneOfEachSampleAndAllOfNone) {
  const auto of = [](int64_t sample, int64_t turn, record::Verdict verdict,
                     double speedup, bool confirms = false) {
    record::Evaluation e;
    e.model = sample < 0 ? "" : "m";
    e.sample = sample;
    e.turn = turn;
    e.verdict = verdict;
    e.speedup = record::Interval{speedup, speedup, speedup};
    e.confirms = confirms;
    return e;
  };
  using enum record::Verdict;
  std::vector<record::Evaluation> all{
      of(0, 1, kIncorrect, 9),    of(0, 2, kCorrect, 2),
      of(0, 3, kCorrect, 1),      of(0, 2, kCorrect, 1.5, true),
      of(1, 1, kCompileError, 1), of(-1, 1, kCorrect, 1),
      of(-1, 1, kIncorrect, 1)};
  KeepBestTurns(&all);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].turn, 2);
  EXPECT_EQ(all[0].speedup->estimate, 2);
  EXPECT_EQ(all[1].sample, 1);
  EXPECT_EQ(all[3].sample, -1);
}

}  // namespace
}  // namespace kb::run
