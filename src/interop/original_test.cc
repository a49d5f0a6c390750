#include "interop/original.h"

#include <gtest/gtest.h>

namespace kb::interop {
namespace {

using record::Verdict;

// As KernelBench's scripts write it.
constexpr const char* kResults = R"json({
    "2": [{"sample_id": 0, "compiled": true, "correctness": true,
           "metadata": {"hardware": "NVIDIA H100", "device": "cuda:0",
                        "correctness_trials": "(5 / 5)"},
           "runtime": 2.5, "runtime_stats": {"mean": 2.5}}],
    "1": [{"sample_id": 1, "compiled": true, "correctness": false,
           "metadata": {"correctness_issue": "Output mismatch"},
           "runtime": -1.0, "runtime_stats": {}},
          {"sample_id": 0, "compiled": false, "correctness": false,
           "metadata": {"compilation_error": "expected ;"},
           "runtime": -1.0, "runtime_stats": {}}],
    "10": {"sample_id": 0, "compiled": true, "correctness": true,
           "metadata": {}, "runtime": 4.0, "runtime_stats": {}}
})json";
constexpr const char* kTimes = R"json({"level1": {
    "1_Square_matrix_multiplication_.py": {"mean": 1.0, "std": 0.1},
    "2_Standard_matrix_multiplication_.py": {"mean": 5.0},
    "10_3D_tensor_matrix_multiplication.py": {"mean": 3.0}}})json";

TEST(Original, ResultsAreReadInBothForms) {
  const auto results = ParseEvalResults(kResults);
  ASSERT_TRUE(results) << results.error().message();
  ASSERT_EQ(results->size(), 4U);
  EXPECT_EQ(results->at(0).problem, 1);
  EXPECT_EQ(results->at(0).sample, 0);
  EXPECT_EQ(results->at(0).error, "expected ;");
  EXPECT_FALSE(results->at(0).runtime_ms);
  EXPECT_EQ(results->at(2).runtime_ms, 2.5);
  EXPECT_EQ(results->at(2).hardware, "NVIDIA H100");
  EXPECT_EQ(results->at(3).problem, 10);
}

TEST(Original, SpeedupIsBaselineOverRuntime) {
  const auto results = ParseEvalResults(kResults);
  const auto times = ParseBaseline(kTimes, "level1");
  ASSERT_TRUE(times) << times.error().message();
  const auto correct = FromOriginal(results->at(2), "level1", times->at(2));
  EXPECT_EQ(correct.problem_id, "level1/2");
  EXPECT_EQ(correct.candidate.name, "level_1_problem_2_sample_0_kernel.py");
  EXPECT_EQ(correct.verdict, Verdict::kCorrect);
  EXPECT_DOUBLE_EQ(correct.speedup->estimate, 2);
  EXPECT_EQ(FromOriginal(results->at(0), "level1", 1).verdict,
            Verdict::kCompileError);
  const auto wrong = FromOriginal(results->at(1), "level1", 1);
  EXPECT_EQ(wrong.verdict, Verdict::kIncorrect);
  EXPECT_FALSE(wrong.speedup);
  EXPECT_EQ(MissingResult("level1", 7).verdict, Verdict::kCompileError);
}

TEST(Original, SamplesOfAModelKeepTheirNumbers) {
  std::vector<record::Evaluation> evaluations(3);
  for (size_t i = 0; i < evaluations.size(); ++i) {
    evaluations[i].problem_id = "level1/23";
    evaluations[i].verdict = record::Verdict::kIncorrect;
    evaluations[i].sample = std::vector<int64_t>{4, 0, 2}[i];
  }
  const base::Json results = EvalResults(evaluations);
  std::vector<int64_t> numbers;
  for (const base::Json& entry : results["23"])
    numbers.push_back(entry["sample_id"].get<int64_t>());
  EXPECT_EQ(numbers, (std::vector<int64_t>{0, 2, 4}));
}

TEST(Original, SamplesAreNumberedByPlaceWhereTheirNumbersDoNotTellThemApart) {
  const auto numbers = [](const std::vector<int64_t>& own) {
    std::vector<record::Evaluation> evaluations(own.size());
    std::vector<const record::Evaluation*> samples;
    for (size_t i = 0; i < own.size(); ++i) {
      evaluations[i].sample = own[i];
      samples.push_back(&evaluations[i]);
    }
    return SampleNumbers(samples);
  };
  EXPECT_EQ(numbers({2, 5}), (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(numbers({3, 3}), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(numbers({-1, 4}), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(numbers({-1, -1}), (std::vector<int64_t>{0, 1}));
}

TEST(Original, NumbersOfSamplesComeBack) {
  const auto results = ParseEvalResults(kResults);
  ASSERT_TRUE(results) << results.error().message();
  const auto second = FromOriginal(results->at(1), "level1", 1);
  EXPECT_EQ(second.sample, 1);
  EXPECT_EQ(EvalResults({second})["1"][0]["sample_id"], 1);
  EXPECT_FALSE(ParseEvalResults(
      R"({"3": [{"sample_id": -1, "compiled": true, "correctness": true}]})"));
}

TEST(Original, FailuresKeepTheirKindAndReason) {
  const auto results = ParseEvalResults(R"json({
      "1": [{"sample_id": 0, "compiled": true, "correctness": false,
             "metadata": {"runtime_error": "illegal access"}}],
      "2": [{"sample_id": 0, "compiled": false, "correctness": false,
             "metadata": {"error": "Evaluation timed out"}}]})json");
  ASSERT_TRUE(results) << results.error().message();
  const auto raised = FromOriginal(results->at(0), "level1", {});
  EXPECT_EQ(raised.verdict, Verdict::kRuntimeError);
  EXPECT_EQ(raised.reason, "illegal access");
  const auto late = FromOriginal(results->at(1), "level1", {});
  EXPECT_EQ(late.verdict, Verdict::kCompileError);
  EXPECT_EQ(late.reason, "Evaluation timed out");
}

TEST(Original, NumbersThatOnlyPythonWritesAreSaidByLine) {
  for (const char* word : {"NaN", "Infinity", "-Infinity"}) {
    const auto results = ParseEvalResults(
        std::string("{\"3\": [\n{\"a\": \"NaN \\\" NaN\",\n\"runtime\": ") +
        word + "}]}");
    ASSERT_FALSE(results);
    EXPECT_TRUE(results.error().message().starts_with("line 3: "))
        << results.error().message();
  }
  const auto broken = ParseEvalResults("{\"NaN\": ");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message().find("not valid JSON"), std::string::npos);
}

TEST(Original, BaselineThatIsNullIsNone) {
  const auto times = ParseBaseline(
      R"({"level1": {"1_A.py": null, "2_B.py": {"mean": 2.0}}})", "level1");
  ASSERT_TRUE(times) << times.error().message();
  EXPECT_FALSE(times->contains(1));
  EXPECT_EQ(times->at(2), 2);
}

TEST(Original, BaselinesAreNamedByTheirMode) {
  record::Baseline baseline;
  baseline.problem_id = "level1/23";
  baseline.mode = record::BaselineMode::kCompile;
  EXPECT_FALSE(BaselineEntry(baseline, {}));
  baseline.time = record::TimeSummary{9, 1, 1500, 250, 1000, 2000, 1, 2};
  const auto entry = BaselineEntry(baseline, {{23, "23_Softmax.py"}});
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->first, "23_Softmax.py");
  EXPECT_EQ(entry->second["mean"], 1.5);
  EXPECT_EQ(entry->second["num_trials"], 9);
  EXPECT_EQ(BaselineFile(baseline.mode),
            "baseline_time_torch_compile_inductor_default.json");
  EXPECT_EQ(BaselineFile(record::BaselineMode::kCudagraphs),
            "baseline_time_torch_compile_cudagraphs.json");
}

TEST(Original, WhatIsWrongIsNamed) {
  EXPECT_NE(ParseEvalResults("{\"x\": []}").error().message().find("\"x\""),
            std::string::npos);
  EXPECT_NE(ParseEvalResults("{\"3\": [{\"sample_id\": 0}]}")
                .error()
                .message()
                .find("problem 3: missing field \"compiled\""),
            std::string::npos);
  EXPECT_FALSE(ParseEvalResults("[]"));
  EXPECT_FALSE(ParseBaseline(kTimes, "level2"));
}

record::Evaluation Timed(const std::string& problem, Verdict verdict) {
  record::Evaluation evaluation;
  evaluation.problem_id = problem;
  evaluation.verdict = verdict;
  evaluation.reason = "why";
  evaluation.device.name = "NVIDIA H200";
  evaluation.reference_time = record::TimeSummary{10, 1, 6000, 0, 0, 0, 0, 0};
  evaluation.candidate_time = record::TimeSummary{10, 1, 3000, 500, 0, 0, 0, 0};
  return evaluation;
}

TEST(Original, ExportedRunIsReadBackAsItWas) {
  const std::vector<record::Evaluation> evaluations{
      Timed("level1/10", Verdict::kCorrect),
      Timed("level1/2", Verdict::kCompileError),
      Timed("level1/2", Verdict::kCorrect),
      Timed("level1/3", Verdict::kTimeout),
      Timed("level1/4", Verdict::kInfraError),
      Timed("level1/5", Verdict::kLoadError)};
  const base::Json json = EvalResults(evaluations);
  const auto results = ParseEvalResults(base::DumpJson(json));
  ASSERT_TRUE(results) << results.error().message();
  ASSERT_EQ(results->size(), 5U);
  EXPECT_FALSE(results->at(0).compiled);
  EXPECT_EQ(results->at(0).verdict, "compile_error");
  EXPECT_EQ(results->at(1).sample, 1);
  EXPECT_DOUBLE_EQ(*results->at(1).runtime_ms, 3);
  EXPECT_TRUE(results->at(2).compiled);
  EXPECT_EQ(results->at(2).error, "why");
  // It was imported, which is to compile it there.
  EXPECT_FALSE(results->at(3).compiled);
  EXPECT_EQ(results->at(3).error, "why");
  EXPECT_EQ(json["10"][0]["runtime_stats"]["std"], 0.5);

  const base::Json baseline{
      {"level1", Baseline(evaluations, {{2, "2_Matmul.py"}})}};
  const auto times = ParseBaseline(base::DumpJson(baseline), "level1");
  ASSERT_TRUE(times) << times.error().message();
  EXPECT_DOUBLE_EQ(times->at(2), 6);
  EXPECT_TRUE(baseline["level1"].contains("2_Matmul.py"));
  EXPECT_EQ(times->size(), 4U);
}

}  // namespace
}  // namespace kb::interop
