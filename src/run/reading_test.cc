#include "run/reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/scores.h"
#include "os/files.h"
#include "store/merge.h"
#include "store/store.h"

namespace kb::run {
namespace {

const std::string kPrompts = KB_SOURCE_DIR "/share/prompts";

TEST(Roofline, OfADeviceWithTf32IsThatOfItsTensorCores) {
  const auto roofline =
      RooflineOf(kPrompts, "NVIDIA A100-SXM4-80GB", record::Precision::kFp32);
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->tflops, 156);
  EXPECT_EQ(roofline->precision, "TF32 tensor cores");
}

TEST(Roofline, OfADeviceWithoutTf32IsThatOfFp32) {
  const auto roofline =
      RooflineOf(kPrompts, "Tesla T4", record::Precision::kFp32);
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->tflops, 8.1);
  EXPECT_EQ(roofline->precision, "fp32");
}

TEST(Roofline, OfADeviceWithoutADataSheetIsNotKnown) {
  EXPECT_FALSE(RooflineOf(kPrompts, "cpu", record::Precision::kFp32));
  EXPECT_FALSE(RooflineOf(kPrompts, "Tesla T4000", record::Precision::kFp32));
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

TEST(ReadRuns, HoldsTimesAgainstTheirPrecisionsPeak) {
  auto folder = os::TempDir::Create("kb-reading");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/run.db";
  {
    auto store = store::Store::Open(path);
    ASSERT_TRUE(store);
    record::Evaluation relu = Took(6442, {4000, 50, 400, 790, 800});
    relu.precision = record::Precision::kBf16;
    ASSERT_TRUE(store->Append(relu));
    record::Evaluation attention = Took(4810.4, {4000, 50, 400, 790, 800});
    attention.problem_id = "v3/level4/3";
    attention.precision = record::Precision::kBf16;
    ASSERT_TRUE(store->Append(attention));
    record::Evaluation mixed = attention;
    mixed.problem_id = "v3/level4/4";  // its file makes fp8
    mixed.precision = record::Precision::kAsGiven;
    ASSERT_TRUE(store->Append(mixed));
  }
  const auto pack = problems::Pack::Open(KB_SOURCE_DIR "/problems");
  ASSERT_TRUE(pack);
  const auto reading = ReadRuns({path}, *pack, "eager");
  ASSERT_TRUE(reading) << reading.error().message();
  ASSERT_EQ(reading->entries.size(), 3U);
  // 6.44 GB at 4 TB/s, in four times that.
  EXPECT_NEAR(reading->entries[0].roofline.value_or(0), 0.25, 0.001);
  // 962 GFLOP at 800 TFLOPS, in four times that.
  EXPECT_NEAR(reading->entries[1].roofline.value_or(0), 0.25, 0.001);
  EXPECT_FALSE(reading->entries[2].roofline);
}

// A run of samples 0 to 3 on level1/19, judged on one device: 0 as fast as
// `speedup` says, 1 holds no code, 2 did not compile and so met no device, and
// 3 was judged if `all`.
void WriteRun(const std::string& path, const std::string& device,
              double speedup, bool all) {
  auto store = store::Store::Open(path);
  ASSERT_TRUE(store);
  for (int64_t sample = 0; sample < 4; ++sample) {
    record::Generation answer;
    answer.model = "m";
    answer.problem_id = "level1/19";
    answer.problem_hash = "hash";
    answer.sample = sample;
    answer.status = sample == 1 ? record::GenerationStatus::kNoCode
                                : record::GenerationStatus::kComplete;
    ASSERT_TRUE(store->Append(answer));
    if (sample == 1 || (sample == 3 && !all)) continue;
    record::Evaluation evaluation;
    evaluation.model = "m";
    evaluation.problem_id = "level1/19";
    evaluation.problem_hash = "hash";
    evaluation.sample = sample;
    evaluation.verdict = record::Verdict::kCompileError;
    if (sample != 2) {
      evaluation.verdict = record::Verdict::kCorrect;
      evaluation.device.name = device;
      evaluation.speedup = record::Interval{speedup, speedup, speedup};
    }
    ASSERT_TRUE(store->Append(evaluation));
  }
}

// All that a row of scores says but its name.
std::string Said(const analysis::Row& row) {
  std::string text =
      fmt::format("{} {} {}", row.problems, row.samples, row.compiled.estimate);
  for (const stats::Interval& fast : row.fast)
    text += fmt::format(" {}", fast.estimate);
  for (const double upper : row.fast_upper) text += fmt::format(" {}", upper);
  for (const auto& [verdict, count] : row.verdicts)
    text += fmt::format(" {} {}", record::VerdictName(verdict), count);
  for (const auto& [missing, count] : row.missing)
    text += fmt::format(" {} {}", analysis::MissingName(missing), count);
  text += fmt::format(" unusable {}", row.unusable.size());
  if (row.speedup) text += fmt::format(" {}", row.speedup->estimate);
  return text;
}

void Merge(const std::vector<std::string>& paths, const std::string& into) {
  std::vector<store::NamedStore> stores;
  for (const std::string& path : paths) {
    auto store = store::Store::Open(path);
    ASSERT_TRUE(store);
    stores.push_back({path, std::move(*store)});
  }
  auto merged = store::Store::Open(into);
  ASSERT_TRUE(merged);
  ASSERT_TRUE(store::MergeInto(stores, &*merged));
}

std::vector<analysis::Row> RowsOf(const std::vector<std::string>& paths) {
  const auto pack = problems::Pack::Open(KB_SOURCE_DIR "/problems");
  const auto reading = ReadRuns(paths, *pack, "eager");
  EXPECT_TRUE(reading);
  return analysis::ScoreTwice(reading->entries, {}).all.rows;
}

TEST(ReadRuns, TakesDevicesApartIntoWhatEachStoreSaysAlone) {
  auto folder = os::TempDir::Create("kb-devices");
  ASSERT_TRUE(folder);
  ::setenv("XDG_DATA_HOME", folder->path().c_str(), 1);
  const std::string small = folder->path() + "/h100.db";
  const std::string large = folder->path() + "/h200.db";
  const std::string both = folder->path() + "/both.db";
  WriteRun(small, "NVIDIA H100", 0.5, false);
  WriteRun(large, "NVIDIA H200", 3, true);
  Merge({small, large}, both);
  const auto apart = RowsOf({both});
  const auto alone = RowsOf({small, large});
  ASSERT_EQ(apart.size(), 2U);
  ASSERT_EQ(alone.size(), 2U);
  EXPECT_EQ(apart[0].run, "both on NVIDIA H100");
  EXPECT_EQ(apart[1].run, "both on NVIDIA H200");
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(Said(apart[i]), Said(alone[i]));
  EXPECT_EQ(apart[0].missing.at(analysis::Missing::kNotJudged), 1);
  EXPECT_TRUE(apart[1].missing.empty());
  ::unsetenv("XDG_DATA_HOME");
}

// A run that asks for three problems of which it judges the first `judged`.
void WriteThree(const std::string& path, const std::string& device,
                size_t judged) {
  auto store = store::Store::Open(path);
  ASSERT_TRUE(store);
  const std::vector<std::string> ids{"level1/19", "level1/20", "level1/21"};
  for (size_t i = 0; i < ids.size(); ++i) {
    ASSERT_TRUE(store->AddRequests({{ids[i], "hash", "m", record::Size::kFull,
                                     record::Precision::kFp32, 1, device}}));
    if (i >= judged) continue;
    record::Generation answer;
    answer.model = "m";
    answer.problem_id = ids[i];
    answer.problem_hash = "hash";
    answer.status = record::GenerationStatus::kComplete;
    ASSERT_TRUE(store->Append(answer));
    record::Evaluation evaluation;
    evaluation.model = "m";
    evaluation.problem_id = ids[i];
    evaluation.problem_hash = "hash";
    evaluation.sample = 0;
    evaluation.precision = record::Precision::kFp32;
    evaluation.verdict = record::Verdict::kCorrect;
    evaluation.device.name = device;
    evaluation.speedup = record::Interval{2, 2, 2};
    ASSERT_TRUE(store->Append(evaluation));
  }
  ASSERT_TRUE(store->AddProgress(judged < ids.size()
                                     ? record::Progress::kBudget
                                     : record::Progress::kDone));
}

TEST(ReadRuns, DeviceThatStoppedEarlyWasAskedAllTheSame) {
  auto folder = os::TempDir::Create("kb-devices");
  ASSERT_TRUE(folder);
  ::setenv("XDG_DATA_HOME", folder->path().c_str(), 1);
  const std::string stopped = folder->path() + "/h100.db";
  const std::string done = folder->path() + "/h200.db";
  const std::string both = folder->path() + "/both.db";
  WriteThree(stopped, "NVIDIA H100", 1);
  WriteThree(done, "NVIDIA H200", 3);
  Merge({stopped, done}, both);
  const auto apart = RowsOf({both});
  const auto alone = RowsOf({stopped, done});
  ASSERT_EQ(apart.size(), 2U);
  ASSERT_EQ(alone.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(apart[i].problems, 3);
    EXPECT_EQ(apart[i].samples, 3);
    for (size_t p = 0; p < alone[i].fast.size(); ++p) {
      EXPECT_DOUBLE_EQ(apart[i].fast[p].estimate, alone[i].fast[p].estimate);
      EXPECT_DOUBLE_EQ(apart[i].fast_upper[p], alone[i].fast_upper[p]);
    }
  }
  EXPECT_NEAR(apart[0].fast.front().estimate, 1.0 / 3, 1e-9);
  EXPECT_EQ(apart[1].fast.front().estimate, 1);
  ::unsetenv("XDG_DATA_HOME");
}

class ReadingTest : public testing::Test {
 protected:
  ReadingTest() {
    folder_.emplace(std::move(*os::TempDir::Create("kb-reading")));
    ::setenv("XDG_DATA_HOME", folder_->path().c_str(), 1);
    path_ = folder_->path() + "/run.db";
    store_.emplace(std::move(*store::Store::Open(path_)));
  }
  void TearDown() override { ::unsetenv("XDG_DATA_HOME"); }

  void Answered(
      int64_t sample, int64_t turn, double usd,
      record::GenerationStatus status = record::GenerationStatus::kComplete) {
    record::Generation answer;
    answer.model = "m";
    answer.problem_id = "level1/19";
    answer.problem_hash = "hash";
    answer.sample = sample;
    answer.turn = turn;
    answer.usd = usd;
    answer.seconds = 10 * usd;
    answer.status = status;
    ASSERT_TRUE(store_->Append(answer));
  }
  void Judged(int64_t sample, int64_t turn, const std::string& device) {
    record::Evaluation evaluation;
    evaluation.model = "m";
    evaluation.problem_id = "level1/19";
    evaluation.problem_hash = "hash";
    evaluation.sample = sample;
    evaluation.turn = turn;
    evaluation.verdict = record::Verdict::kCorrect;
    evaluation.precision = record::Precision::kFp32;
    evaluation.device.name = device;
    evaluation.speedup = record::Interval{2, 2, 2};
    ASSERT_TRUE(store_->Append(evaluation));
  }
  analysis::RunReading Read() {
    const auto pack = problems::Pack::Open(KB_SOURCE_DIR "/problems");
    auto reading = ReadRuns({path_}, *pack, "eager");
    EXPECT_TRUE(reading) << reading.error().message();
    return reading ? std::move(*reading) : analysis::RunReading();
  }

  std::optional<os::TempDir> folder_;
  std::string path_;
  std::optional<store::Store> store_;
};

// Or it would be a sample of another problem.
TEST_F(ReadingTest, AnswerWithoutCodeIsWhereItWasAskedFor) {
  ASSERT_TRUE(
      store_->AddToManifest({{"size", "small"}, {"precision", "as_given"}}));
  ASSERT_TRUE(
      store_->AddRequests({{"level1/19", "hash", "m", record::Size::kFull,
                            record::Precision::kFp32, 3}}));
  Answered(0, 1, 1);
  Judged(0, 1, "cpu");
  Answered(1, 1, 1, record::GenerationStatus::kNoCode);
  Answered(2, 1, 1);  // and was not judged
  const auto rows = analysis::ScoreTwice(Read().entries, {}).all.rows;
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].problems, 1);
  EXPECT_EQ(rows[0].samples, 3);
}

// At 1e-2 zeros pass v3/level2/99 in fp32, too.
TEST_F(ReadingTest, PolicyIsKnownByItsValues) {
  record::Evaluation evaluation;
  evaluation.problem_id = "v3/level2/99";
  evaluation.verdict = record::Verdict::kCorrect;
  ASSERT_TRUE(store_->Append(evaluation));
  evaluation.policy.tolerance = record::Tolerance{1e-2, 1e-2};
  ASSERT_TRUE(store_->Append(evaluation));
  const auto entries = Read().entries;
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].outcome.policy, "kernelbench");
  EXPECT_FALSE(entries[0].flagged);
  EXPECT_EQ(entries[1].outcome.policy, "kernelbench changed");
  EXPECT_TRUE(entries[1].flagged);
}

TEST_F(ReadingTest, AnswerOfARunWithoutRequestsIsWhereTheManifestSays) {
  ASSERT_TRUE(
      store_->AddToManifest({{"size", "small"}, {"precision", "bf16"}}));
  Answered(0, 1, 1, record::GenerationStatus::kNoCode);
  const auto entries = Read().entries;
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].outcome.size, record::Size::kSmall);
  EXPECT_EQ(entries[0].outcome.precision, record::Precision::kBf16);
}

// A run that ended between answers and their verdicts.
TEST_F(ReadingTest, AnswersThatNobodyJudgedHaveTheirCost) {
  for (const int64_t turn : {1, 2}) Answered(0, turn, 1);
  Judged(0, 1, "cpu");
  for (const int64_t turn : {1, 2, 3}) Answered(1, turn, 1);
  for (const int64_t turn : {1, 2}) Judged(1, turn, "cpu");
  for (const int64_t turn : {1, 2, 3}) Answered(2, turn, 1);
  const auto reading = Read();
  ASSERT_EQ(reading.entries.size(), 3U);
  const auto rows = analysis::ScoreTwice(reading.entries, {}).all.rows;
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].usd, 8);
  EXPECT_EQ(reading.entries[0].seconds, 20);
  EXPECT_EQ(reading.entries[1].seconds, 30);
  EXPECT_EQ(reading.entries[2].missing, analysis::Missing::kNotJudged);
  EXPECT_EQ(reading.entries[2].seconds, 30);
}

TEST_F(ReadingTest, SampleOfOtherDevicesIsMissingOnce) {
  for (const int64_t turn : {1, 2}) Answered(0, turn, 1);
  for (const char* device : {"A", "B"})
    for (const int64_t turn : {1, 2}) Judged(0, turn, device);
  // Its second turn met one device alone, which leaves nothing open on B.
  for (const int64_t turn : {1, 2}) Answered(1, turn, 1);
  Judged(1, 1, "A");
  Judged(1, 1, "B");
  Judged(1, 2, "A");
  Answered(2, 1, 1);
  Judged(2, 1, "C");
  const auto rows = analysis::ScoreTwice(Read().entries, {}).all.rows;
  ASSERT_EQ(rows.size(), 3U);
  for (const analysis::Row& row : rows) EXPECT_EQ(row.samples, 3) << row.run;
  EXPECT_EQ(rows[0].missing.at(analysis::Missing::kNotJudged), 1);
  EXPECT_EQ(rows[1].missing.at(analysis::Missing::kNotJudged), 1);
  EXPECT_EQ(rows[2].missing.at(analysis::Missing::kNotJudged), 2);
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
