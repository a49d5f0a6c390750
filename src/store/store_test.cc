#include "store/store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "base/hash.h"
#include "migrations.h"
#include "sqlite.h"

namespace kb::store {
namespace {

using record::Evaluation;

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (std::filesystem::temp_directory_path() / "kb-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    chmod(folder_.c_str(), 0700);
    std::filesystem::remove_all(folder_);
  }

  std::string Path(const std::string& name = "run.db") const {
    return folder_ + "/" + name;
  }

  std::string folder_;
};

// `value` with another value in every field, also in fields that were added to
// record after this test was written.
template <typename T>
T Distinct(const T& value, double start,
           base::Result<T> (*parse)(const base::Json&)) {
  base::Json json = ToJson(value);
  int64_t n = 0;
  for (auto& field : json) {
    ++n;
    if (field.is_number_float())
      field = start + static_cast<double>(n) / 3;
    else if (field.is_number_integer())
      field = n;
    else if (field.is_boolean())
      field = true;
    else if (field == "")  // not the word of an enum
      field = std::to_string(n);
  }
  return *parse(json);
}

record::Mismatch FullMismatch() {
  record::Mismatch mismatch;
  mismatch.output = 2;
  mismatch.structure = "shape";
  mismatch.elements = 4;
  mismatch.wrong = 3;
  mismatch.nonfinite = 2;
  mismatch.unwritten = 1;
  mismatch.max_abs_error = std::numeric_limits<double>::infinity();
  mismatch.max_rel_error = 0.1;
  mismatch.first = {{0, 1}, 1.5, std::numeric_limits<double>::infinity()};
  mismatch.worst = {{3, 2}, -1.5, 1e300};
  mismatch.pattern = "last tile";
  mismatch.seed = std::numeric_limits<uint64_t>::max();
  return mismatch;
}

Evaluation Full() {
  Evaluation e;
  e.candidate.name = "softmax.cu";
  e.candidate.path = "samples/softmax.cu";
  e.candidate.source = std::string("// \xc3\xa9\n\0 \xff binary", 16);
  e.candidate.track = record::Track::kPython;
  e.candidate.backend = record::Backend::kTriton;
  e.candidate.builds_extension = true;
  e.model = "tiny";
  e.sample = 7;
  e.turn = 3;
  e.confirms = true;
  e.problem_id = "level1/23";
  e.problem_hash = "abc123";
  e.size = record::Size::kSmall;
  e.precision = record::Precision::kBf16;
  e.policy = *record::NamedPolicy("strict");
  e.policy.tolerance = record::Tolerance{1.0 / 3, 0.1};
  e.policy.memory_bytes = int64_t{1} << 40;
  e.device = {"cuda:1", "NVIDIA H100", "580.1", "2.11.0+cu130", "sm_90"};
  e.isolation = "reduced";
  e.version = "0.1.0";
  e.verdict = record::Verdict::kIncorrect;
  e.reason = "output 0: 3 of 4 elements are wrong; it's \"off\"";
  e.log = std::string(100000, 'x') + "\n'); DROP TABLE trials; --";
  e.interpreted = true;
  e.notes = {"first", "", "third"};
  e.checked = {"shape", "values"};
  e.unchecked = {"determinism"};
  for (int i = 0; i < 5; ++i) {
    auto trial = Distinct(record::Trial(), 100.0 * i, record::TrialFromJson);
    trial.seed = std::numeric_limits<uint64_t>::max() - i;
    trial.counts = i > 3;
    e.trials.push_back(trial);
  }
  e.mismatch = FullMismatch();
  e.ruler = Distinct(record::Ruler(), 1000, record::RulerFromJson);
  e.ruler->candidate_launches = record::Launches::kCaptured;
  record::Provenance& provenance = e.provenance.emplace();
  provenance.method = "cupti";
  provenance.samples = 12;
  provenance.shares = {0.5, 0.125, 0, 0.25, 0, 0, 0.125, 0};
  provenance.parts = {{record::Origin::kOwn, "a.so", "kernel", 0.5}};
  record::Profile& profile = e.profile.emplace();
  profile.activity.method = "samples";
  profile.activity.samples = profile.activity.calls = 7;
  profile.activity.shares[0] = 1;
  profile.activity.parts = {{record::Origin::kOwn, "f", "a.so", 1}};
  profile.occupancies = {std::nullopt};
  profile.limiter = "code";
  profile.figures = {{"hottest function", 100, "%", std::nullopt, "All."}};
  e.outside.emplace().distributions = {
      {"large", record::Outside::Outcome::kRight, ""},
      {"zipf", record::Outside::Outcome::kLeftOut, "no ids"}};
  record::AtSize& wide = e.sizes.emplace().emplace_back();
  wide.size = *record::ParseSize("wide");
  wide.verdict = record::Verdict::kCorrect;
  wide.trials = e.trials;
  wide.ruler = e.ruler;
  wide.speedup = {1.5, 1.25, 1.75};
  wide.candidate_time = {19, 5.1, 5.2, 0.15, 4.9, 5.5, 5, 5.2};
  e.tolerance = {1e-2, 1.0 / 3};
  e.reference_time = {20, 10.1, 10.2, 0.3, 9.9, 11, 10, 10.4};
  e.candidate_time = {19, 5.1, 5.2, 0.15, 4.9, 5.5, 5, 5.2};
  e.speedup = {1.98, 1.95, 2.01};
  e.reference_wall = {18, 20.1, 20.2, 0.3, 19.9, 21, 20, 20.4};
  e.candidate_wall = {17, 15.1, 15.2, 0.15, 14.9, 15.5, 15, 15.2};
  e.wall_speedup = {1.33, 1.31, 1.35};
  e.compile_seconds = 1.0 / 7;
  e.compile_cached = true;
  e.wall_seconds = 3.5;
  e.started_at = "2026-01-02T03:04:05Z";
  return e;
}

Store MustOpen(const std::string& path) {
  auto store = Store::Open(path);
  if (!store) ADD_FAILURE() << store.error().message();
  return std::move(*store);
}

std::vector<Evaluation> MustRead(const Store& store,
                                 const Filter& filter = {}) {
  auto evaluations = store.Evaluations(filter);
  if (!evaluations) ADD_FAILURE() << evaluations.error().message();
  return std::move(*evaluations);
}

void ExpectSame(const Evaluation& actual, const Evaluation& expected) {
  EXPECT_EQ(base::DumpJson(ToJson(actual), 1),
            base::DumpJson(ToJson(expected), 1));
  // What ToJson leaves out.
  EXPECT_EQ(actual.candidate.source, expected.candidate.source);
  EXPECT_EQ(actual.candidate.builds_extension,
            expected.candidate.builds_extension);
  EXPECT_EQ(actual.policy, expected.policy);
}

// So that a field added to record cannot be forgotten in the tests below.
TEST_F(StoreTest, TheFullEvaluationDiffersFromAnEmptyOneEverywhere) {
  const base::Json empty = ToJson(Evaluation());
  const base::Json full = ToJson(Full());
  for (const auto& item : full.items())
    EXPECT_NE(item.value(), empty.value(item.key(), base::Json()))
        << item.key();
}

TEST_F(StoreTest, WhatIsAppendedIsReadBackInEveryField) {
  Store store = MustOpen(Path());
  ASSERT_TRUE(store.Append(Full()));
  ASSERT_TRUE(store.Append(Evaluation()));
  const auto read = MustRead(store);
  ASSERT_EQ(read.size(), 2u);
  ExpectSame(read[0], Full());
  ExpectSame(read[1], Evaluation());
}

TEST_F(StoreTest, ReopenedFileStillHasEverything) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  const auto store = Store::Open(Path(), Store::Mode::kExisting);
  ASSERT_TRUE(store);
  ExpectSame(MustRead(*store).at(0), Full());
}

TEST_F(StoreTest, NotANumberSurvives) {
  Evaluation e = Full();
  e.trials[0].candidate_us = std::numeric_limits<double>::quiet_NaN();
  e.wall_speedup->high = std::numeric_limits<double>::quiet_NaN();
  Store store = MustOpen(Path());
  ASSERT_TRUE(store.Append(e));
  const Evaluation read = MustRead(store).at(0);
  EXPECT_TRUE(std::isnan(read.trials[0].candidate_us));
  EXPECT_TRUE(std::isnan(read.wall_speedup->high));
}

TEST_F(StoreTest, EveryVerdictSurvives) {
  Store store = MustOpen(Path());
  for (int i = 0; i <= static_cast<int>(record::Verdict::kInfraError); ++i) {
    Evaluation e;
    e.verdict = static_cast<record::Verdict>(i);
    ASSERT_TRUE(store.Append(e));
  }
  int i = 0;
  for (const Evaluation& e : MustRead(store))
    EXPECT_EQ(e.verdict, static_cast<record::Verdict>(i++));
}

TEST_F(StoreTest, FilterNarrowsByEveryPartOfTheKey) {
  Store store = MustOpen(Path());
  ASSERT_TRUE(store.Append(Full()));
  ASSERT_TRUE(store.Append(Evaluation()));
  const Evaluation full = Full();
  EXPECT_EQ(MustRead(store, {.problem_id = "level1/23",
                             .problem_hash = "abc123",
                             .candidate_hash = full.candidate.Hash(),
                             .device_name = "NVIDIA H100",
                             .policy = "strict",
                             .version = "0.1.0"})
                .size(),
            1u);
  for (const Filter& miss :
       {Filter{.problem_id = "x"}, Filter{.problem_hash = "x"},
        Filter{.candidate_hash = "x"}, Filter{.device_name = "x"},
        Filter{.policy = "x"}, Filter{.version = "x"}})
    EXPECT_TRUE(MustRead(store, miss).empty());
  const Filter without{.without_problems = {"level1/22", "level1/23"}};
  EXPECT_EQ(MustRead(store, without).size(), 1u);
  EXPECT_EQ(store.Outcomes(without)->size(), 1u);
  EXPECT_TRUE(
      MustRead(store, {.model = full.model, .without_problems = {"level1/23"}})
          .empty());
}

TEST_F(StoreTest, OutcomesAreTheEvaluationsWithoutTheirData) {
  Store store = MustOpen(Path());
  Evaluation correct = Full();
  correct.verdict = record::Verdict::kCorrect;
  correct.speedup = record::Interval{1.5, 1.25, 2};
  Evaluation not_run;
  not_run.verdict.reset();
  not_run.speedup.reset();
  not_run.ruler.reset();
  ASSERT_FALSE(not_run.provenance);
  ASSERT_TRUE(store.Append(correct));
  ASSERT_TRUE(store.Append(not_run));
  const auto isolations = store.Isolations();
  ASSERT_TRUE(isolations) << isolations.error().message();
  EXPECT_EQ(*isolations,
            (std::map<int64_t, std::string>{{1, correct.isolation}, {2, ""}}));
  const auto outcomes = store.Outcomes();
  ASSERT_TRUE(outcomes) << outcomes.error().message();
  ASSERT_EQ(outcomes->size(), 2U);
  const auto policies = store.Policies();
  ASSERT_TRUE(policies) << policies.error().message();
  EXPECT_EQ(policies->at(outcomes->at(0).policy_hash), correct.policy);
  record::Outcome expected;
  expected.id = 1;
  expected.problem_id = correct.problem_id;
  expected.problem_hash = correct.problem_hash;
  expected.candidate_name = correct.candidate.name;
  expected.candidate_hash = correct.candidate.Hash();
  expected.model = correct.model;
  expected.sample = correct.sample;
  expected.turn = correct.turn;
  expected.confirms = correct.confirms;
  expected.backend = correct.candidate.backend;
  expected.size = correct.size;
  expected.precision = correct.precision;
  expected.policy = "strict";
  expected.policy_hash = outcomes->at(0).policy_hash;
  expected.device_name = correct.device.name;
  expected.driver = correct.device.driver;
  expected.torch = correct.device.torch;
  expected.verdict = record::Verdict::kCorrect;
  expected.reason = correct.reason;
  expected.ruler = correct.ruler->version;
  expected.speedup = 1.5;
  expected.wall_speedup = correct.wall_speedup->estimate;
  expected.wall_seconds = correct.wall_seconds;
  expected.compile_seconds = correct.compile_seconds;
  expected.candidate_us = correct.candidate_time->median;
  expected.candidate_wall_us = correct.candidate_wall->median;
  expected.own_share = correct.provenance->own_share();
  expected.floor_us = correct.ruler->floor_us;
  expected.warm = correct.ruler->warm;
  expected.first_us = correct.ruler->first_us;
  expected.ceilings = correct.ruler->ceilings;
  expected.tf32 = correct.ruler->tf32;
  EXPECT_EQ(outcomes->at(0), expected);
  EXPECT_FALSE(outcomes->at(1).verdict);
  EXPECT_FALSE(outcomes->at(1).speedup);
  EXPECT_FALSE(outcomes->at(1).wall_speedup);
  EXPECT_EQ(outcomes->at(1).ruler, 0);
  EXPECT_EQ(store.Outcomes({.policy = "strict"})->size(), 1U);
}

TEST_F(StoreTest, EqualSourcesAreKeptOnce) {
  {
    Store store = MustOpen(Path());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(store.Append(Full()));
  }
  auto database = Database::Open(Path(), Database::Access::kWrite);
  ASSERT_TRUE(database);
  // A source, a log, a policy.
  EXPECT_EQ(*database->SelectInteger("SELECT count(*) FROM blobs"), 3);
}

TEST_F(StoreTest, RowsCanNeitherBeChangedNorRemoved) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  auto database = Database::Open(Path(), Database::Access::kWrite);
  ASSERT_TRUE(database);
  EXPECT_FALSE(database->Execute("UPDATE evaluations SET verdict='correct'"));
  EXPECT_FALSE(database->Execute("DELETE FROM rounds"));
}

TEST_F(StoreTest, PolicyThatCouldNotBeReadBackIsRefused) {
  Evaluation e = Full();
  e.policy.wall_seconds = 0;
  Store store = MustOpen(Path());
  EXPECT_FALSE(store.Append(e));
  EXPECT_TRUE(MustRead(store).empty());
}

TEST_F(StoreTest, RulerThatCouldNotBeReadBackIsRefused) {
  Evaluation e = Full();
  e.ruler->floor_us = std::numeric_limits<double>::quiet_NaN();
  Store store = MustOpen(Path());
  EXPECT_FALSE(store.Append(e));
  EXPECT_TRUE(MustRead(store).empty());
}

// --- Killed, crowded ---

[[noreturn]] void AppendForever(const std::string& path) {
  auto store = Store::Open(path);
  while (store && store->Append(Full())) {
  }
  _exit(1);
}

TEST_F(StoreTest, KilledWriterLeavesOnlyWholeEvaluations) {
  MustOpen(Path());
  auto counter = Database::Open(Path(), Database::Access::kWrite);
  ASSERT_TRUE(counter);
  const auto stored = [&] {
    return *counter->SelectInteger("SELECT count(*) FROM evaluations");
  };
  int64_t before = 0;
  for (int round = 0; round < 3; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) AppendForever(Path());
    while (stored() < before + 3)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto read = MustRead(MustOpen(Path()));
    before = static_cast<int64_t>(read.size());
    EXPECT_EQ(before, stored());
    for (const Evaluation& e : read) ExpectSame(e, Full());
  }
}

TEST_F(StoreTest, FourProcessesAppendToOneNewFile) {
  constexpr int kProcesses = 4;
  constexpr int kEach = 25;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(fork());
    ASSERT_GE(children.back(), 0);
    if (children.back() != 0) continue;
    auto store = Store::Open(Path());
    if (!store) std::fprintf(stderr, "%s\n", store.error().message().c_str());
    int failed = store ? 0 : 1;
    for (int k = 0; k < kEach && failed == 0; ++k)
      if (!store->Append(Full())) failed = 1;
    _exit(failed);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(MustRead(MustOpen(Path())).size(), size_t{kProcesses} * kEach);
}

TEST_F(StoreTest, ThreadsShareOneStore) {
  Store store = MustOpen(Path());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) EXPECT_TRUE(store.Append(Full()));
    });
  threads.clear();
  EXPECT_EQ(MustRead(store).size(), 40u);
}

// --- Versions ---

TEST_F(StoreTest, NewerFileIsRefusedAndSaysSo) {
  MustOpen(Path());
  {
    auto database = Database::Open(Path(), Database::Access::kWrite);
    ASSERT_TRUE(database && database->Execute("PRAGMA user_version=99"));
  }
  const auto store = Store::Open(Path());
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message().find("newer kernelbench"),
            std::string::npos);
  EXPECT_NE(store.error().message().find(Path()), std::string::npos);
}

TEST_F(StoreTest, OlderFileIsBroughtUpWithItsRows) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  std::vector<Step> steps = Steps();
  const int64_t next = steps.back().version + 1;
  steps.push_back({next, "ALTER TABLE evaluations ADD COLUMN extra TEXT"});
  auto database = Database::Open(Path(), Database::Access::kWrite);
  ASSERT_TRUE(database);
  ASSERT_TRUE(Migrate(&*database, steps));
  EXPECT_EQ(*database->SelectInteger("PRAGMA user_version"), next);
  EXPECT_EQ(*database->SelectInteger(
                "SELECT count(*) FROM evaluations WHERE extra IS NULL"),
            1);
}

// `sql` with the one text that the old files below have as 'h', under its hash.
std::string WithHash(std::string sql) {
  const std::string hash = base::Sha256(R"({"name": "strict"})");
  for (size_t at = 0; (at = sql.find("'h'", at)) != std::string::npos;)
    sql.replace(at, 3, "'" + hash + "'");
  return sql;
}

TEST_F(StoreTest, FileOfVersionOneIsRead) {
  {
    auto database = Database::Open(Path(), Database::Access::kCreate);
    ASSERT_TRUE(database && Migrate(&*database, {Steps().front()}));
    ASSERT_TRUE(database->Execute(
        WithHash("INSERT INTO blobs VALUES ('h', '{\"name\": \"strict\"}')")
            .c_str()));
    const std::string insert = WithHash(
        "INSERT INTO evaluations VALUES (1, 'level1/1', 'p', 'a.cu', 'a.cu', "
        "'c', 'native', 'cuda', 0, 'h', 'full', 'fp32', 'strict', 'h', "
        "'cuda:0', 'H100', '1', '2', 'sm_90', 'full', '0.1', 'correct', '', "
        "'h', 0, 0, 0, 2.0, 1.0, 3.0, NULL, 0, 0, 0, '')");
    ASSERT_TRUE(database->Execute(insert.c_str()));
  }
  const Store store = MustOpen(Path());
  ASSERT_EQ(MustRead(store).size(), 1u);
  EXPECT_EQ(MustRead(store)[0].model, "");
  EXPECT_EQ(store.Outcomes()->at(0).sample, -1);
  EXPECT_EQ(store.Outcomes()->at(0).speedup, 2.0);
}

// One evaluation that the first ruler timed and one that it did not, as its
// program wrote them.
void MakeFileOfVersionTwo(const std::string& path) {
  auto database = Database::Open(path, Database::Access::kCreate);
  ASSERT_TRUE(database && Migrate(&*database, {Steps().at(0), Steps().at(1)}));
  for (const char* sql :
       {"INSERT INTO blobs VALUES ('h', '{\"name\": \"strict\"}')",
        "INSERT INTO evaluations VALUES (1, 'level1/1', 'p', 'a.cu', 'a.cu', "
        "'c', 'native', 'cuda', 0, 'h', 'full', 'fp32', 'strict', 'h', "
        "'cuda:0', 'H100', '1', '2', 'sm_90', 'full', '0.1', 'correct', '', "
        "'h', 0, 0, 0, 2.0, 1.5, 3.0, NULL, 0, 0, 0, '', 'tiny', 3)",
        "INSERT INTO evaluations VALUES (2, 'level1/1', 'p', 'b.cu', 'b.cu', "
        "'d', 'native', 'cuda', 0, 'h', 'full', 'fp32', 'strict', 'h', "
        "'cuda:0', 'H100', '1', '2', 'sm_90', 'full', '0.1', 'incorrect', '', "
        "'h', 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, '', 'tiny', 4)",
        "INSERT INTO trials VALUES (1, 0, 42, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        "INSERT INTO trials VALUES (1, 1, -1, 1, 20.5, 10.25, 1, 160, 3, 4, "
        "5, 1)",
        "INSERT INTO trials VALUES (2, 0, 42, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
        "INSERT INTO calibrations VALUES (1, 148, 150, 2000, 6, 1, 9, 4, 31, "
        "200)",
        "INSERT INTO times VALUES (1, 'reference', 1, 20, 21, 1, 19, 22, 19.5, "
        "20.5)",
        "INSERT INTO times VALUES (1, 'candidate', 1, 10, 11, 1, 9, 12, 9.5, "
        "10.5)",
        "INSERT INTO baselines VALUES (1, 'level1/1', 'p', 'full', 'fp32', "
        "'cuda:0', 'H100', '1', '2', 'sm_90', 'cudnn', 'compile', NULL, NULL, "
        "'', 0, '')"})
    ASSERT_TRUE(database->Execute(WithHash(sql).c_str())) << sql;
}

TEST_F(StoreTest, AnswerOfVersionFiveIsTheFirstTurn) {
  {
    auto database = Database::Open(Path(), Database::Access::kCreate);
    std::vector<Step> steps = Steps();
    steps.resize(5);
    ASSERT_TRUE(database && Migrate(&*database, steps));
    for (const char* sql :
         {"INSERT INTO blobs VALUES ('h', '{\"name\": \"strict\"}')",
          "INSERT INTO generations VALUES (7, 'level1/1', 'p', 3, 'tiny', "
          "'tiny-1', 'h', 'h', 'h', 'complete', '', 'a.cu', 'h', 10, 4, 20, 5, "
          "0.5, 1.5, 2, '2026')"})
      ASSERT_TRUE(database->Execute(WithHash(sql).c_str())) << sql;
  }
  const Store store = MustOpen(Path());
  const auto found = store.Generations();
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->size(), 1u);
  const record::Generation& answer = found->front();
  EXPECT_EQ(answer.turn, 1);
  EXPECT_EQ(answer.sample, 3);
  EXPECT_EQ(answer.state, "");
  EXPECT_EQ(answer.history, std::nullopt);
  EXPECT_EQ(answer.source, R"({"name": "strict"})");
  EXPECT_EQ(answer.usage, (record::Usage{10, 4, 20, 5}));
  EXPECT_EQ(answer.usd, 0.5);
  EXPECT_EQ(answer.started_at, "2026");
}

TEST_F(StoreTest, WhatTheFirstRulerMeasuredIsReadAndSaysSo) {
  MakeFileOfVersionTwo(Path());
  const Store store = MustOpen(Path());
  const auto read = MustRead(store);
  ASSERT_EQ(read.size(), 2u);
  const Evaluation& timed = read[0];
  EXPECT_EQ(timed.verdict, record::Verdict::kCorrect);
  EXPECT_EQ(timed.model, "tiny");
  EXPECT_EQ(timed.speedup, (record::Interval{2, 1.5, 3}));
  EXPECT_FALSE(timed.wall_speedup || timed.reference_wall);
  EXPECT_EQ(timed.reference_time,
            (record::TimeSummary{1, 20, 21, 1, 19, 22, 19.5, 20.5}));
  EXPECT_EQ(timed.candidate_time->median, 10);
  ASSERT_TRUE(timed.ruler);
  EXPECT_EQ(timed.ruler->version, 1);
  const std::vector<record::Trial> trials{
      {.seed = 42},
      {.seed = std::numeric_limits<uint64_t>::max(),
       .timed = true,
       .counts = true,
       .reference_us = 20.5,
       .candidate_us = 10.25}};
  EXPECT_EQ(timed.trials, trials);
  EXPECT_FALSE(read[1].ruler);
  EXPECT_EQ(read[1].trials.size(), 1u);
}

TEST_F(StoreTest, ResultsOfBothRulersLieSideBySide) {
  MakeFileOfVersionTwo(Path());
  Store store = MustOpen(Path());
  Evaluation today = Full();
  today.ruler->version = record::kRulerVersion;
  ASSERT_TRUE(store.Append(today));
  ExpectSame(MustRead(store).at(2), today);
  const auto outcomes = store.Outcomes();
  ASSERT_EQ(outcomes->size(), 3u);
  EXPECT_EQ(outcomes->at(0).ruler, 1);
  EXPECT_EQ(outcomes->at(0).candidate_us, 10);
  EXPECT_FALSE(outcomes->at(0).wall_speedup);
  EXPECT_EQ(outcomes->at(1).ruler, 0);
  EXPECT_EQ(outcomes->at(2).ruler, record::kRulerVersion);
  EXPECT_EQ(outcomes->at(2).candidate_wall_us, today.candidate_wall->median);

  record::Baseline baseline = store.Baselines()->at(0);
  EXPECT_EQ(baseline.ruler, 1);
  baseline.ruler = record::kRulerVersion;
  ASSERT_TRUE(store.Append(baseline));
  EXPECT_EQ(store.Baselines()->size(), 2u);
}

TEST_F(StoreTest, FailedMigrationLeavesTheFileAsItWas) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  std::vector<Step> steps = Steps();
  const int64_t now = steps.back().version;
  steps.push_back({now + 1, "ALTER TABLE trials ADD COLUMN extra TEXT"});
  steps.push_back({now + 2, "ALTER TABLE missing ADD COLUMN extra TEXT"});
  {
    auto database = Database::Open(Path(), Database::Access::kWrite);
    ASSERT_TRUE(database);
    ASSERT_FALSE(Migrate(&*database, steps));
    EXPECT_EQ(*database->SelectInteger("PRAGMA user_version"), now);
    EXPECT_EQ(*database->SelectInteger("SELECT count(*) FROM "
                                       "pragma_table_info('trials') "
                                       "WHERE name='extra'"),
              0);
  }
  ExpectSame(MustRead(MustOpen(Path())).at(0), Full());
}

TEST_F(StoreTest, StepsHaveNoGap) {
  int64_t expected = 1;
  for (const Step& step : Steps()) EXPECT_EQ(step.version, expected++);
}

// --- What people do wrong ---

template <typename T>
std::string ErrorOf(const base::Result<T>& result) {
  return result ? "no error" : result.error().message();
}

void ExpectMentions(const std::string& message, const std::string& path,
                    const std::string& words) {
  EXPECT_NE(message.find(path), std::string::npos) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST_F(StoreTest, TextFileIsNotADatabase) {
  std::ofstream(Path()) << std::string(5000, 'x');
  ExpectMentions(ErrorOf(Store::Open(Path())), Path(), "not a database");
}

TEST_F(StoreTest, ForeignDatabaseIsLeftAlone) {
  {
    auto database = Database::Open(Path(), Database::Access::kCreate);
    ASSERT_TRUE(database && database->Execute("CREATE TABLE cookies (x)"));
  }
  const auto size = std::filesystem::file_size(Path());
  ExpectMentions(ErrorOf(Store::Open(Path())), Path(), "another program");
  EXPECT_EQ(std::filesystem::file_size(Path()), size);
  auto database = Database::Open(Path(), Database::Access::kWrite);
  EXPECT_EQ(*database->SelectInteger("PRAGMA user_version"), 0);
}

TEST_F(StoreTest, MissingFolderIsNamed) {
  ExpectMentions(ErrorOf(Store::Open(Path("none/run.db"))), Path("none/run.db"),
                 "folder exists");
}

TEST_F(StoreTest, ReaderDoesNotMakeAFile) {
  ExpectMentions(ErrorOf(Store::Open(Path(), Store::Mode::kExisting)), Path(),
                 "unable to open");
  EXPECT_FALSE(std::filesystem::exists(Path()));
}

TEST_F(StoreTest, FolderIsNoStore) {
  std::filesystem::create_directories(Path());
  ExpectMentions(ErrorOf(Store::Open(Path(), Store::Mode::kExisting)),
                 "is a folder, not a store",
                 "kernelbench import " + Path() + " --level N --store X.db");
}

// Runs `body` in a child, as nobody when we are root (root may write
// anywhere), and returns what it says.
template <typename F>
std::string InChild(F&& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string said = body();
    _exit(write(ends[1], said.data(), said.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string said(4096, '\0');
  const ssize_t size = read(ends[0], said.data(), said.size());
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  said.resize(size < 0 ? 0 : static_cast<size_t>(size));
  return said;
}

TEST_F(StoreTest, ReadOnlyFolderIsNamed) {
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  const std::string said = InChild([&]() -> std::string {
    if (getuid() == 0 && setuid(65534) != 0) return "no setuid";
    return ErrorOf(Store::Open(Path()));
  });
  ExpectMentions(said, Path(), "write");
}

// Of another user, or on media that cannot be written.
TEST_F(StoreTest, WhoMayNotWriteReads) {
  ASSERT_TRUE(MustOpen(Path("a%20?#.db")).Append(Full()));
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  const std::string said = InChild([&]() -> std::string {
    if (getuid() == 0 && setuid(65534) != 0) return "no setuid";
    const auto store = Store::Open(Path("a%20?#.db"), Store::Mode::kExisting);
    if (!store) return store.error().message();
    const auto read = store->Evaluations();
    if (!read) return read.error().message();
    const bool same =
        read->size() == 1 && ToJson(read->front()) == ToJson(Full());
    return same ? "all of it" : "less";
  });
  EXPECT_EQ(said, "all of it");
}

TEST_F(StoreTest, WhoMayNotWriteCannotBringUpAnOlderFile) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  {
    auto database = Database::Open(Path(), Database::Access::kWrite);
    ASSERT_TRUE(database->Execute("PRAGMA user_version=2"));
  }
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  const std::string said = InChild([&]() -> std::string {
    if (getuid() == 0 && setuid(65534) != 0) return "no setuid";
    return ErrorOf(Store::Open(Path(), Store::Mode::kExisting));
  });
  ExpectMentions(said, Path(), "copy it to where you may write");
}

TEST_F(StoreTest, AVersionThatIsNotTheTablesIsDamage) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  for (const char* version : {"0", "-1", "1"}) {
    auto database = Database::Open(Path(), Database::Access::kWrite);
    const std::string set = std::string("PRAGMA user_version=") + version;
    ASSERT_TRUE(database->Execute(set.c_str()));
    ExpectMentions(ErrorOf(Store::Open(Path(), Store::Mode::kExisting)), Path(),
                   "damaged");
  }
}

// Changes the first `from` in the file to `to`, of the same length.
void Damage(const std::string& path, const std::string& from,
            const std::string& to) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const size_t at = bytes.find(from);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, to.size(), to);
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(StoreTest, TextThatHasChangedOnTheDiskIsDamage) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  Damage(Path(), "xxxxxxxx", "xxxyxxxx");
  ExpectMentions(ErrorOf(MustOpen(Path()).Evaluations()), Path(), "damaged");

  record::Generation generation;
  generation.answer = std::string(9000, 'a');
  ASSERT_TRUE(MustOpen(Path("answers.db")).Append(generation));
  Damage(Path("answers.db"), "aaaaaaaa", "aaaabaaa");
  Store answers = MustOpen(Path("answers.db"));
  ExpectMentions(ErrorOf(answers.Generations()), Path("answers.db"), "damaged");
  EXPECT_TRUE(answers.Generations({.with_texts = false}));
}

TEST_F(StoreTest, ReaderLeavesAnEmptyFileEmpty) {
  std::ofstream(Path()).close();
  ExpectMentions(ErrorOf(Store::Open(Path(), Store::Mode::kExisting)), Path(),
                 "empty");
  EXPECT_EQ(std::filesystem::file_size(Path()), 0U);
}

TEST_F(StoreTest, FullDiskIsSaidAndNothingStoredIsLost) {
  ASSERT_TRUE(MustOpen(Path()).Append(Full()));
  const std::string said = InChild([&]() -> std::string {
    auto store = Store::Open(Path());
    if (!store) return store.error().message();
    // A write beyond this size fails as it does on a full disk.
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200000, 200000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Evaluation big = Full();
    big.log.assign(1000000, 'y');
    const auto appended = store->Append(big);
    return appended ? "no error" : appended.error().message();
  });
  ExpectMentions(said, Path(), "free space");
  const auto read = MustRead(MustOpen(Path()));
  ASSERT_EQ(read.size(), 1u);
  ExpectSame(read[0], Full());
}

}  // namespace
}  // namespace kb::store
