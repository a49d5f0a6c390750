#include "run/reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
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
  for (const auto& [status, count] : row.unusable)
    text += fmt::format(" {} {}", record::GenerationStatusName(status), count);
  text += fmt::format(" not run {} open {}", row.not_run, row.open);
  if (row.speedup) text += fmt::format(" {}", row.speedup->estimate);
  if (row.sol_score.value)
    text += fmt::format(" SOL score {} of {}", row.sol_score.value->estimate,
                        row.sol_score.problems);
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

constexpr const char* kH200 = "NVIDIA H200";
constexpr const char* kEpyc = "AMD EPYC";  // of which there is no data sheet
constexpr const char* kP = "level1/19";
constexpr const char* kQ = "level1/20";

// The store of a run on one device, named by that. All runs have the same
// answers.
class DeviceRun {
 public:
  DeviceRun(const std::string& folder, const std::string& device)
      : device_(device),
        path_(fmt::format("{}/{}.db", folder, device)),
        store_(std::move(*store::Store::Open(path_))) {}

  DeviceRun& At(const record::Size& size, record::Precision precision) {
    size_ = size;
    precision_ = precision;
    return *this;
  }
  // What its results carry from now on.
  DeviceRun& With(const record::Ceilings& ceilings) {
    ceilings_ = ceilings;
    return *this;
  }
  DeviceRun& Ask(const std::string& problem, int64_t samples) {
    return AskOn(device_, problem, samples);
  }
  // `device` is empty where an older kernelbench asked.
  DeviceRun& AskOn(const std::string& device, const std::string& problem,
                   int64_t samples) {
    EXPECT_TRUE(store_->AddRequests(
        {{problem, "hash", "m", size_, precision_, samples, device}}));
    return *this;
  }
  DeviceRun& Answer(
      const std::string& problem, int64_t sample,
      record::GenerationStatus status = record::GenerationStatus::kComplete) {
    record::Generation answer;
    answer.model = "m";
    answer.problem_id = problem;
    answer.problem_hash = "hash";
    answer.sample = sample;
    answer.status = status;
    EXPECT_TRUE(store_->Append(answer));
    return *this;
  }
  // An answer and what became of it.
  DeviceRun& Judge(const std::string& problem, int64_t sample,
                   std::optional<record::Verdict> verdict,
                   bool met_device = true) {
    Answer(problem, sample);
    record::Evaluation evaluation;
    evaluation.model = "m";
    evaluation.problem_id = problem;
    evaluation.problem_hash = "hash";
    evaluation.sample = sample;
    evaluation.size = size_;
    evaluation.precision = precision_;
    evaluation.verdict = verdict;
    if (met_device) evaluation.device.name = device_;
    if (verdict == record::Verdict::kCorrect) {
      evaluation.speedup = record::Interval{2, 2, 2};
      evaluation.candidate_time.emplace().median = 1e5;
      evaluation.ruler.emplace().ceilings = ceilings_;
    }
    EXPECT_TRUE(store_->Append(evaluation));
    return *this;
  }
  // Where the store lies.
  std::string End(record::Progress progress = record::Progress::kDone) {
    EXPECT_TRUE(store_->AddProgress(progress));
    store_.reset();
    return path_;
  }

 private:
  std::string device_;
  std::string path_;
  std::optional<store::Store> store_;
  record::Size size_ = record::Size::kFull;
  record::Precision precision_ = record::Precision::kFp32;
  record::Ceilings ceilings_;
};

using Rows = std::map<std::string, std::string>;  // what they say, by run

Rows SaidOf(const std::vector<std::string>& paths,
            const std::string& before_name = "") {
  Rows said;
  for (const analysis::Row& row : RowsOf(paths))
    said[before_name + row.run] = Said(row);
  return said;
}

class DevicesTest : public testing::Test {
 protected:
  DevicesTest() : folder_(std::move(*os::TempDir::Create("kb-devices"))) {
    ::setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
  }
  void TearDown() override { ::unsetenv("XDG_DATA_HOME"); }

  const std::string& folder() const { return folder_.path(); }
  DeviceRun RunOn(const std::string& device) const {
    return DeviceRun(folder(), device);
  }
  // Whichever of the two stores is merged first.
  void ExpectEachSaysWhatItSaysAlone(const std::string& one,
                                     const std::string& other) const {
    const Rows alone = SaidOf({one, other}, "both on ");
    EXPECT_EQ(alone.size(), 2U);
    for (const auto& [first, second] :
         {std::pair(one, other), std::pair(other, one)}) {
      const std::string folder = first + " first";
      ASSERT_TRUE(std::filesystem::create_directory(folder));
      Merge({first, second}, folder + "/both.db");
      EXPECT_EQ(SaidOf({folder + "/both.db"}), alone) << folder;
    }
  }

 private:
  os::TempDir folder_;
};

TEST_F(DevicesTest, ThatStoppedEarlyWasAskedAllTheSame) {
  using enum record::Verdict;
  const char* const third = "level1/21";
  const std::string stopped = RunOn(kEpyc)
                                  .Ask(kP, 1)
                                  .Ask(kQ, 1)
                                  .Ask(third, 1)
                                  .Judge(kP, 0, kCorrect)
                                  .End(record::Progress::kBudget);
  const std::string done = RunOn(kH200)
                               .Ask(kP, 1)
                               .Ask(kQ, 1)
                               .Ask(third, 1)
                               .Judge(kP, 0, kCorrect)
                               .Judge(kQ, 0, kCorrect)
                               .Judge(third, 0, kCorrect)
                               .End();
  const std::string both = folder() + "/both.db";
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
}

TEST_F(DevicesTest, WhatReachedNoDeviceIsOfThatWithoutAResult) {
  using enum record::Verdict;
  const std::string h200 = RunOn(kH200)
                               .Ask(kP, 4)
                               .Judge(kP, 0, kCorrect)
                               .Judge(kP, 1, kCorrect)
                               .Judge(kP, 2, kCorrect)
                               .Judge(kP, 3, kIncorrect)
                               .End();
  const std::string epyc = RunOn(kEpyc)
                               .Ask(kP, 4)
                               .Judge(kP, 0, kCompileError, false)
                               .Judge(kP, 1, std::nullopt, false)
                               .Judge(kP, 2, kInfraError, false)
                               .Judge(kP, 3, kCorrect)
                               .End();
  ExpectEachSaysWhatItSaysAlone(h200, epyc);
}

TEST_F(DevicesTest, SamplesAreThoseOfTheirSizeAndPrecision) {
  using enum record::Verdict;
  const std::string h200 = RunOn(kH200)
                               .Ask(kP, 3)
                               .Judge(kP, 0, kCorrect)
                               .Judge(kP, 1, kCorrect)
                               .Answer(kP, 2, record::GenerationStatus::kNoCode)
                               .End();
  const std::string epyc =
      RunOn(kEpyc)
          .At(record::Size::kSmall, record::Precision::kBf16)
          .Ask(kP, 4)
          .Judge(kP, 0, kCorrect)
          .Answer(kP, 1)
          .Answer(kP, 2, record::GenerationStatus::kNoCode)
          .Answer(kP, 3, record::GenerationStatus::kTruncated)
          .End();
  ExpectEachSaysWhatItSaysAlone(h200, epyc);
}

TEST_F(DevicesTest, DeviceThatJudgedNothingHasARow) {
  using enum record::Verdict;
  const std::string h200 = RunOn(kH200)
                               .Ask(kP, 2)
                               .Judge(kP, 0, kCorrect)
                               .Judge(kP, 1, kIncorrect)
                               .End();
  const std::string epyc = RunOn(kEpyc)
                               .Ask(kP, 3)
                               .Ask(kQ, 2)
                               .Answer(kP, 0)
                               .Answer(kP, 1)
                               .Answer(kP, 2)
                               .End(record::Progress::kBudget);
  ExpectEachSaysWhatItSaysAlone(h200, epyc);
}

TEST_F(DevicesTest, DeviceOfCompileErrorsAloneHasARow) {
  using enum record::Verdict;
  const std::string h200 = RunOn(kH200)
                               .Ask(kP, 2)
                               .Judge(kP, 0, kCorrect)
                               .Judge(kP, 1, kCorrect)
                               .End();
  const std::string epyc = RunOn(kEpyc)
                               .Ask(kP, 2)
                               .Judge(kP, 0, kCompileError, false)
                               .Judge(kP, 1, kCompileError, false)
                               .End();
  ExpectEachSaysWhatItSaysAlone(h200, epyc);
}

TEST_F(DevicesTest, RequestsThatNameADeviceSayWhatItWasAsked) {
  using enum record::Verdict;
  const std::string older = RunOn(kH200)
                                .AskOn("", kP, 4)
                                .AskOn("", kQ, 1)
                                .Judge(kP, 0, kCorrect)
                                .Judge(kP, 1, kCorrect)
                                .Judge(kP, 2, kCorrect)
                                .Answer(kP, 3)
                                .Judge(kQ, 0, kIncorrect)
                                .End();
  const std::string epyc = RunOn(kEpyc)
                               .Ask(kP, 2)
                               .Ask(kQ, 2)
                               .Judge(kP, 0, kCorrect)
                               .Judge(kP, 1, kIncorrect)
                               .Answer(kQ, 0)
                               .Judge(kQ, 1, kCorrect)
                               .End();
  ExpectEachSaysWhatItSaysAlone(older, epyc);
}

TEST_F(DevicesTest, LeastTimeOfWhatOthersJudgedIsKnown) {
  using enum record::Verdict;
  const std::string h200 = RunOn(kH200)
                               .With({4000, 50, 400, 790, 800})
                               .Ask(kP, 1)
                               .Ask(kQ, 1)
                               .Judge(kP, 0, kCorrect)
                               .Judge(kQ, 0, kCorrect)
                               .End();
  const std::string epyc = RunOn(kEpyc)
                               .With({200, 2, 0, 0, 0})
                               .Ask(kP, 1)
                               .Ask(kQ, 1)
                               .Judge(kP, 0, kCorrect)
                               .Answer(kQ, 0)
                               .End();
  const auto alone = RowsOf({epyc});
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(alone[0].sol_score.problems, 2);
  ExpectEachSaysWhatItSaysAlone(h200, epyc);
}

// A precision that the device has no units for has none.
TEST_F(DevicesTest, WhatBecameOfASampleDoesNotSayItsLeastTime) {
  using enum record::Verdict;
  const std::string epyc =
      RunOn(kEpyc)
          .With({200, 2, 0, 0, 0})
          .Ask(kP, 5)
          .Judge(kP, 0, kCorrect)
          .Judge(kP, 1, kIncorrect)
          .Judge(kP, 2, kCompileError, false)
          .Answer(kP, 3)
          .At(record::Size::kFull, record::Precision::kBf16)
          .Ask(kQ, 2)
          .Judge(kQ, 0, kIncorrect)
          .Judge(kQ, 1, kCompileError, false)
          .End();
  const auto pack = problems::Pack::Open(KB_SOURCE_DIR "/problems");
  const auto reading = ReadRuns({epyc}, *pack, "eager");
  ASSERT_TRUE(reading) << reading.error().message();
  ASSERT_EQ(reading->entries.size(), 7U);
  for (const analysis::Entry& entry : reading->entries)
    EXPECT_EQ(entry.has_ceiling,
              entry.outcome.precision == record::Precision::kFp32)
        << entry.outcome.problem_id << " " << entry.outcome.sample;
  analysis::ScoreOptions options;
  options.by = analysis::By::kPrecision;
  const auto rows = analysis::ScoreTwice(reading->entries, options).all.rows;
  ASSERT_EQ(rows.size(), 2U);
  for (const analysis::Row& row : rows)
    EXPECT_EQ(row.sol_score.value.has_value(), row.group == "fp32")
        << row.group;
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

// Of one device as well, at two sizes.
TEST_F(ReadingTest, AnswerIsMissingAtEachSizeThatItWasAskedFor) {
  for (const record::Size& size : {record::Size::kFull, record::Size::kSmall})
    ASSERT_TRUE(store_->AddRequests(
        {{"level1/19", "hash", "m", size, record::Precision::kFp32, 3}}));
  Answered(0, 1, 1);
  Judged(0, 1, "cpu");
  Answered(1, 1, 1, record::GenerationStatus::kNoCode);
  const auto rows = analysis::ScoreTwice(Read().entries, {}).all.rows;
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].problems, 2);
  EXPECT_EQ(rows[0].samples, 6);
  EXPECT_EQ(rows[0].unusable.at(record::GenerationStatus::kNoCode), 2);
  EXPECT_EQ(rows[0].missing.at(analysis::Missing::kNotJudged), 1);
  EXPECT_EQ(rows[0].missing.at(analysis::Missing::kNoAnswer), 2);
  EXPECT_EQ(rows[0].usd, 2);
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

TEST_F(ReadingTest, EvaluationsCountAsTheirEntriesDo) {
  record::Evaluation evaluation;
  evaluation.model = "m";
  evaluation.problem_id = "level1/19";
  evaluation.problem_hash = "hash";
  evaluation.device.name = "cpu";
  const auto judged = [&](int64_t sample, int64_t turn, double speedup,
                          bool confirms = false) {
    evaluation.sample = sample;
    evaluation.turn = turn;
    evaluation.confirms = confirms;
    evaluation.verdict =
        speedup > 0 ? record::Verdict::kCorrect : record::Verdict::kIncorrect;
    evaluation.speedup.reset();
    if (speedup > 0)
      evaluation.speedup = record::Interval{speedup, speedup, speedup};
    ASSERT_TRUE(store_->Append(evaluation));
  };
  judged(0, 1, 0);
  judged(0, 1, 3);  // judged again
  judged(1, 1, 1);
  judged(1, 2, 4);
  judged(1, 2, 2, true);  // and that was luck
  Answered(2, 1, 1, record::GenerationStatus::kNoCode);
  const analysis::RunReading reading = Read();
  const auto all = EvaluationsOf(reading.entries, *store_);
  ASSERT_TRUE(all);
  std::map<int64_t, double> speedups;
  for (const auto& found : *all)
    if (found) speedups[found->sample] = found->speedup.value().estimate;
  EXPECT_EQ(all->size(), 3U);
  EXPECT_EQ(speedups, (std::map<int64_t, double>{{0, 3}, {1, 2}}));
}

// A merged store says nothing of what its parts differ in.
TEST_F(ReadingTest, WhatHasNoResultIsJudgedByThePolicyOfWhatHas) {
  record::Evaluation evaluation;
  evaluation.model = "m";
  evaluation.problem_id = "level1/19";
  evaluation.problem_hash = "hash";
  evaluation.sample = 0;
  evaluation.policy = *record::NamedPolicy("strict");
  evaluation.precision = record::Precision::kFp32;
  evaluation.device.name = "cpu";
  evaluation.verdict = record::Verdict::kCorrect;
  ASSERT_TRUE(store_->Append(evaluation));
  Answered(1, 1, 1, record::GenerationStatus::kNoCode);
  const analysis::RunReading reading = Read();
  ASSERT_EQ(reading.entries.size(), 2U);
  for (const analysis::Entry& entry : reading.entries)
    EXPECT_EQ(entry.outcome.policy, "strict");
}

}  // namespace
}  // namespace kb::run
