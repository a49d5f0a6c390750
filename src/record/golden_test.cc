// The bytes that leave the process, against tests/golden/record. Others read
// these forms.
#include <gtest/gtest.h>

#include <limits>

#include "expect_golden.h"
#include "record/baseline.h"
#include "record/evaluation.h"
#include "record/generation.h"

namespace kb::record {
namespace {

using base::Json;

constexpr double kInf = std::numeric_limits<double>::infinity();

void ExpectGolden(const std::string& name, const Json& json) {
  kb::ExpectGolden(
      base::DumpJson(json, 2) + "\n",
      std::string(KB_SOURCE_DIR) + "/tests/golden/record/" + name + ".json");
}

// Through text and back, as it travels.
template <typename T, typename F>
T ThereAndBack(const T& value, F&& from_json) {
  const auto json = base::ParseJson(base::DumpJson(ToJson(value)), "test");
  EXPECT_TRUE(json);
  const auto back = from_json(*json);
  EXPECT_TRUE(back) << back.error().message();
  return back.value_or(T{});
}

ProblemFacts SomeFacts() {
  ProblemFacts facts;
  facts.init_args = {
      Value{int64_t{3}},
      Value{3.0},
      Value{true},
      Value{Value::None{}},
      Value{std::string("same \"padding\"")},
      Value{Value::List{{Value{int64_t{1}}, Value{-kInf}}, true}},
      Value{Value::List{{}, false}}};
  facts.inputs = {
      Value{Value::Tensor{{DType::kFloat32, {128, 64}}}},
      Value{Value::List{{Value{Value::Tensor{{DType::kInt64, {}}}}}, false}},
      Value{0.1}};
  facts.outputs = {{DType::kBFloat16, {128, 0, 1}}, {DType::kBool, {7}}};
  facts.constants = {Value::Dict{{"batch"}, {Value{int64_t{16}}}}};
  facts.output_structure = "tuple";
  facts.state = {{"conv.weight", {DType::kFloat16, {8, 3, 3, 3}}},
                 {"bn.num_batches_tracked", {DType::kInt64, {}}}};
  return facts;
}

Mismatch SomeMismatch() {
  Mismatch mismatch;
  mismatch.output = 1;
  mismatch.elements = 4096;
  mismatch.wrong = 17;
  mismatch.nonfinite = 2;
  mismatch.unwritten = 1;
  mismatch.max_abs_error = 0.1;
  mismatch.max_rel_error = kInf;
  mismatch.first = Mismatch::Position{{0, 63}, 0.25, -kInf};
  mismatch.worst = Mismatch::Position{{}, 1e-300, 1};
  mismatch.pattern = "all zeros";
  mismatch.seed = std::numeric_limits<uint64_t>::max();
  mismatch.inputs = "long_tail";
  return mismatch;
}

Trial SomeTrial() {
  Trial trial;
  trial.seed = std::numeric_limits<uint64_t>::max();
  trial.timed = true;
  trial.reference_us = 1234.5678901234567;
  trial.counts = true;
  trial.process = 2;
  trial.candidate_us = 0.1;
  trial.reference_one_us = 1383.5;
  trial.reference_chain_us = 10020.25;
  trial.candidate_one_us = 148.5;
  trial.candidate_chain_us = 149.125;
  trial.reference_wall_us = 1240.5;
  trial.candidate_wall_us = 9.75;
  trial.constant_us = 148.375;
  trial.reference_once_us = 148.25;
  trial.candidate_once_us = 149.5;
  trial.clock_mhz = 1980;
  trial.temperature_c = 41.5;
  trial.inputs = "negative";
  return trial;
}

Ruler SomeRuler() {
  return {.version = 3,
          .calls = 8,
          .gated = false,
          .reference_launches = record::Launches::kCaptured,
          .candidate_launches = record::Launches::kPartlyHidden,
          .control_gated = false,
          .copied = true,
          .warm = true,
          .constant_us = 148.5,
          .alone_us = 5.5,
          .alone_share = 0.0625,
          .control_us = 1230.5,
          .reference_waited = 0.125,
          .candidate_waited = 0.25,
          .copy_us = 2.25,
          .floor_us = 0.75,
          .first_us = 91250.5,
          .tf32 = "cudnn",
          .operators = 12,
          .convolves = true,
          .by_place = true,
          .processes = 2,
          .disturbed = 4,
          .input_bytes = 4096,
          .weight_bytes = 512,
          .output_bytes = 1024,
          .ceilings = {4054.5, 52.5, 390.25, 760.5, 790.25}};
}

Policy SomePolicy() {
  Policy policy = *NamedPolicy("strict");
  policy.tolerance = Tolerance{1e-4, 1e-2};
  policy.allow_torch_ops = false;
  policy.memory_bytes = int64_t{3} << 32;
  return policy;
}

DeviceFacts SomeDevice() {
  return {.device = "cuda:0",
          .name = "NVIDIA H100 80GB HBM3",
          .driver = "580.159.04",
          .torch = "2.11.0+cu130",
          .arch = "sm_90"};
}

Evaluation SomeEvaluation() {
  Evaluation evaluation;
  evaluation.candidate.name = "relu.cu";
  evaluation.candidate.path = "mine/relu.cu";
  evaluation.candidate.source = "// relu\n";
  evaluation.problem_id = "level1/19";
  evaluation.problem_hash = "ab12";
  evaluation.size = Size::kSmall;
  evaluation.precision = Precision::kBf16;
  evaluation.policy = *NamedPolicy("kernelbench");
  evaluation.device = SomeDevice();
  evaluation.isolation = "full";
  evaluation.version = "0.1.0";
  evaluation.verdict = Verdict::kIncorrect;
  evaluation.reason = "17 of 4096 elements are wrong";
  evaluation.log = "line 1\nline 2 \xc3\xa9";
  evaluation.notes = {"uses a stream of its own"};
  evaluation.checked = {"values"};
  evaluation.unchecked = {"provenance"};
  evaluation.trials = {SomeTrial(), Trial{}};
  evaluation.mismatch = SomeMismatch();
  evaluation.ruler = SomeRuler();
  Provenance& provenance = evaluation.provenance.emplace();
  provenance.method = "cupti";
  provenance.samples = 6;
  provenance.shares = {0.5, 0, 0, 0.25, 0, 0.25, 0, 0};
  provenance.parts = {{Origin::kOwn, "candidate.so", "relu", 0.5}};
  Profile& profile = evaluation.profile.emplace();
  Activity& activity = profile.activity;
  activity.method = "cupti";
  activity.samples = activity.calls = 4;
  activity.call_us = 2.5;
  activity.busy_us = 2.25;
  activity.shares = {1, 0, 0, 0, 0, 0, 0, 0};
  activity.parts = {
      {Origin::kOwn, "relu", "candidate.so", 1, 1, 0,
       Activity::Launch{{64, 1, 1}, {256, 1, 1}, 16, 0, 1024, 0}}};
  profile.occupancies = {Profile::Occupancy{0.5, "threads"}};
  profile.limiter = "memory";
  profile.figures = {{"memory bandwidth", 900, "GB/s", 1000, "It is much."}};
  evaluation.outside.emplace().distributions = {
      {"long_tail", Outside::Outcome::kWrong, ""},
      {"large", Outside::Outcome::kLeftOut, "not finite"}};
  evaluation.outside->sizes = {
      {"batch_size = 65", Outside::Outcome::kWrong, "4 rows are missing"}};
  evaluation.tolerance = {1e-2, 1e-2};
  evaluation.reference_time = TimeSummary{3, 2, 2.5, 0.5, 1, 3, 1.5, 2.75};
  evaluation.candidate_time = TimeSummary{3, 1, 1, 0, 1, 1, 1, 1};
  evaluation.speedup = Interval{2, 1.75, 2.25};
  evaluation.reference_wall = TimeSummary{3, 9, 9.5, 0.5, 8, 10, 8.5, 9.75};
  evaluation.candidate_wall = TimeSummary{3, 6, 6, 0, 6, 6, 6, 6};
  evaluation.wall_speedup = Interval{1.5, 1.25, 1.75};
  evaluation.compile_seconds = 0.625;
  evaluation.compile_cached = true;
  evaluation.wall_seconds = 4.5;
  evaluation.started_at = "2026-11-21T22:00:00Z";
  return evaluation;
}

TEST(Golden, ProblemFacts) {
  ExpectGolden("problem_facts", ToJson(SomeFacts()));
  EXPECT_EQ(ThereAndBack(SomeFacts(), ProblemFactsFromJson), SomeFacts());
  EXPECT_EQ(ThereAndBack(ProblemFacts{}, ProblemFactsFromJson), ProblemFacts{});
}

TEST(Golden, Mismatch) {
  ExpectGolden("mismatch", ToJson(SomeMismatch()));
  EXPECT_EQ(ThereAndBack(SomeMismatch(), MismatchFromJson), SomeMismatch());
  EXPECT_EQ(ThereAndBack(Mismatch{}, MismatchFromJson), Mismatch{});
}

TEST(Golden, Trial) {
  ExpectGolden("trial", ToJson(SomeTrial()));
  EXPECT_EQ(ThereAndBack(SomeTrial(), TrialFromJson), SomeTrial());
}

TEST(Golden, Ruler) {
  ExpectGolden("ruler", ToJson(SomeRuler()));
  EXPECT_EQ(ThereAndBack(SomeRuler(), RulerFromJson), SomeRuler());
}

// So that a field added to either cannot be forgotten above.
TEST(Golden, TrialAndRulerDifferFromEmptyOnesEverywhere) {
  const auto differ = [](const Json& full, const Json& empty) {
    for (const auto& item : full.items())
      EXPECT_NE(item.value(), empty.at(item.key())) << item.key();
  };
  differ(ToJson(SomeTrial()), ToJson(Trial{}));
  differ(ToJson(SomeRuler()), ToJson(Ruler{}));
}

TEST(Golden, DeviceFacts) {
  ExpectGolden("device_facts", ToJson(SomeDevice()));
  EXPECT_EQ(ThereAndBack(SomeDevice(), DeviceFactsFromJson), SomeDevice());
}

TEST(Golden, Policies) {
  ExpectGolden("policy", ToJson(SomePolicy()));
  EXPECT_EQ(ThereAndBack(SomePolicy(), PolicyFromJson), SomePolicy());
  // The named policies are promises to users, so a change shows here.
  for (const char* name : {"kernelbench", "strict", "own-kernels"}) {
    const Policy policy = *NamedPolicy(name);
    ExpectGolden(std::string("policy_") + name, ToJson(policy));
    EXPECT_EQ(ThereAndBack(policy, PolicyFromJson), policy);
  }
}

TEST(Golden, Evaluation) {
  ExpectGolden("evaluation", ToJson(SomeEvaluation()));
}

TEST(Golden, Generation) {
  Generation generation;
  generation.problem_id = "level1/23";
  generation.problem_hash = "abc";
  generation.sample = 3;
  generation.turn = 4;
  generation.model = "tiny";
  generation.served_model = "tiny-2026";
  generation.prompt = "write it";
  generation.answer = "```cuda\nint x;\n```";
  generation.reasoning = "hm";
  generation.state = "[]";
  generation.history = History{"best-and-last", {1, 3}, {2}};
  generation.shown.emplace().push_back({"ab12", "other", "level1/7", 2, 5});
  generation.status = GenerationStatus::kTruncated;
  generation.reason = "ends within the code";
  generation.candidate_name = "sample_3.cu";
  generation.source = "int x;";
  generation.usage = {100, 40, 20, 5};
  generation.usd = 0.0125;
  generation.seconds = 1.5;
  generation.attempts = 2;
  generation.started_at = "2026-01-02T03:04:05Z";
  ExpectGolden("generation", ToJson(generation));
}

TEST(Golden, EveryStatusOfAGenerationHasAName) {
  for (int i = 0; i <= static_cast<int>(GenerationStatus::kFailed); ++i) {
    const auto status = static_cast<GenerationStatus>(i);
    EXPECT_EQ(ParseGenerationStatus(GenerationStatusName(status)), status);
  }
  EXPECT_FALSE(ParseGenerationStatus("other"));
}

TEST(Golden, Baseline) {
  Baseline baseline;
  baseline.problem_id = "level1/23";
  baseline.problem_hash = "abc";
  baseline.precision = Precision::kBf16;
  baseline.device = SomeDevice();
  baseline.tf32 = "cudnn";
  baseline.mode = BaselineMode::kMaxAutotune;
  baseline.time = TimeSummary{9, 12.5, 13, 0.5, 12, 14, 12.25, 13.5};
  baseline.eager = TimeSummary{9, 25, 26, 0.5, 24, 28, 24.5, 27};
  baseline.speedup = Interval{2, 1.875, 2.125};
  baseline.reason = "remark";
  baseline.compile_seconds = 31.5;
  baseline.measured_at = "2026-01-02T03:04:05Z";
  ExpectGolden("baseline", ToJson(baseline));
  EXPECT_EQ(ToJson(*BaselineFromJson(ToJson(baseline))), ToJson(baseline));
  Json older = ToJson(baseline);
  older.erase("speedup");
  EXPECT_FALSE(BaselineFromJson(older)->speedup);
  Json unknown = ToJson(baseline);
  unknown["mode"] = "fast";
  EXPECT_FALSE(BaselineFromJson(unknown));
}

TEST(Golden, EveryModeOfABaselineHasAName) {
  for (const char* name :
       {"eager", "compile", "compile-reduce-overhead", "compile-max-autotune",
        "compile-max-autotune-no-cudagraphs", "compile-cudagraphs", "fla"})
    EXPECT_STREQ(BaselineModeName(*ParseBaselineMode(name)), name);
  EXPECT_FALSE(ParseBaselineMode("other"));
  EXPECT_TRUE(BaselineModeNames().ends_with(
      "compile-max-autotune-no-cudagraphs, compile-cudagraphs, fla"));
}

// Nothing measured and no verdict: the fields are there all the same.
TEST(Golden, EvaluationThatDidNotRun) {
  Evaluation evaluation;
  evaluation.reason = "CUDA source does not run on cpu";
  ExpectGolden("evaluation_not_run", ToJson(evaluation));
}

}  // namespace
}  // namespace kb::record
