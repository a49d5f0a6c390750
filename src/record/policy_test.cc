#include "record/policy.h"

#include <gtest/gtest.h>

#include "record/problem.h"

namespace kb::record {
namespace {

using base::Json;

bool IsRefused(const Json& json) {
  const auto policy = PolicyFromJson(json);
  return !policy && policy.error().kind() == base::Error::Kind::kUsage;
}

TEST(Precision, WordsAndTypesBelongTogether) {
  const std::pair<const char*, std::optional<DType>> rows[] = {
      {"fp32", DType::kFloat32},
      {"fp16", DType::kFloat16},
      {"bf16", DType::kBFloat16},
      {"as_given", std::nullopt}};
  for (const auto& [word, dtype] : rows) {
    const auto precision = ParsePrecision(word);
    ASSERT_TRUE(precision) << word;
    EXPECT_STREQ(PrecisionName(*precision), word);
    EXPECT_EQ(PrecisionDType(*precision), dtype);
  }
  for (const char* word : {"", "fp64", "FP32", "fp32 ", "float32", "bf"})
    EXPECT_FALSE(ParsePrecision(word)) << word;
}

TEST(FixedTolerance, IsThatOfTheOriginal) {
  const Policy policy;
  EXPECT_EQ(FixedTolerance(policy, DType::kFloat32), (Tolerance{1e-4, 1e-4}));
  EXPECT_EQ(FixedTolerance(policy, DType::kFloat64), (Tolerance{1e-4, 1e-4}));
  EXPECT_EQ(FixedTolerance(policy, DType::kFloat16), (Tolerance{1e-2, 1e-2}));
  EXPECT_EQ(FixedTolerance(policy, DType::kBFloat16), (Tolerance{1e-2, 1e-2}));
}

TEST(FixedTolerance, OfV3IsThatOfV3) {
  const Policy policy = *NamedPolicy("v3");
  EXPECT_EQ(FixedTolerance(policy, DType::kFloat32), (Tolerance{1e-3, 1e-3}));
  EXPECT_EQ(FixedTolerance(policy, DType::kFloat16), (Tolerance{1e-2, 1e-2}));
  EXPECT_EQ(FixedTolerance(policy, DType::kBFloat16), (Tolerance{1e-2, 1e-2}));
}

TEST(PublicSeeds, AreThoseOfTheProcedure) {
  Policy policy;
  EXPECT_EQ(PublicSeeds(policy),
            (std::vector<uint64_t>{42, 123, 456, 789, 1337}));
  policy.public_trials = 1;
  EXPECT_EQ(PublicSeeds(policy), std::vector<uint64_t>{42});
  policy.procedure = Procedure::kOriginal;
  EXPECT_EQ(PublicSeeds(policy), std::vector<uint64_t>{734796314})
      << "torch.manual_seed(42); torch.randint(0, 2**32 - 1, (1,))";
}

TEST(NamedPolicy, OriginalHasItsProcedureAndLimit) {
  const Policy original = *NamedPolicy("original");
  EXPECT_EQ(original.procedure, Procedure::kOriginal);
  EXPECT_EQ(original.wall_seconds, 180);
  EXPECT_EQ(*PolicyFromJson(ToJson(original)), original);
  EXPECT_TRUE(IsRefused({{"procedure", "theirs"}}));
  EXPECT_TRUE(IsRefused({{"name", "strict"}, {"procedure", "original"}}));
  Problem problem;
  problem.tolerances = {{.precision = Precision::kFp32, .value = 0.25}};
  EXPECT_EQ(problem.Adjusted(original, Precision::kFp32), original);
}

TEST(Flag, HoldsUnderTheOriginalAsUnderKernelbench) {
  const Flag wide{"collapses", "x", {}, {}, {"kernelbench"}};
  EXPECT_TRUE(wide.Holds(Precision::kFp32, Size::kFull, "original"));
  const Flag half{"collapses", "x", {Precision::kFp16}, {}, {}};
  EXPECT_FALSE(half.Holds(Precision::kFp32, Size::kFull, "original"));
}

TEST(FixedTolerance, OneForAllStandsAboveThoseByType) {
  const auto policy =
      PolicyFromJson({{"tolerances",
                       {{"float16", {{"atol", 0.5}, {"rtol", 0.25}}},
                        {"float32", {{"atol", 0.125}, {"rtol", 0}}}}}});
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(FixedTolerance(*policy, DType::kFloat16), (Tolerance{0.5, 0.25}));
  EXPECT_EQ(FixedTolerance(*policy, DType::kFloat32), (Tolerance{0.125, 0}));
  EXPECT_EQ(FixedTolerance(*policy, DType::kBFloat16), (Tolerance{1e-2, 1e-2}));
  EXPECT_EQ(*PolicyFromJson(ToJson(*policy)), *policy);
  Policy same = *policy;
  same.tolerance = {1, 2};
  EXPECT_EQ(FixedTolerance(same, DType::kFloat16), (Tolerance{1, 2}));
}

TEST(Policy, TolerancesByTypeAreOfFloatingTypes) {
  const Json pair = {{"atol", 0.5}, {"rtol", 0.5}};
  EXPECT_TRUE(IsRefused({{"tolerances", pair}}));
  EXPECT_TRUE(IsRefused({{"tolerances", {{"int8", pair}}}}));
  EXPECT_TRUE(IsRefused({{"tolerances", {{"float16", 0.5}}}}));
  EXPECT_TRUE(IsRefused({{"tolerances", Json::array()}}));
}

TEST(JudgedType, IsThePrecisionsOrTheNarrowestOfInputsAndOutputs) {
  ProblemFacts facts;
  EXPECT_EQ(JudgedType(facts, Precision::kAsGiven), DType::kFloat32);
  facts.outputs = {{DType::kFloat16, {2}}, {DType::kFloat32, {2}}};
  EXPECT_EQ(JudgedType(facts, Precision::kAsGiven), DType::kFloat16);
  EXPECT_EQ(JudgedType(facts, Precision::kFp32), DType::kFloat32);
  facts.inputs = {Value{Value::Tensor{{DType::kInt64, {3}}}},
                  Value{Value::Tensor{{DType::kBFloat16, {3}}}}};
  EXPECT_EQ(JudgedType(facts, Precision::kAsGiven), DType::kBFloat16);
  EXPECT_EQ(JudgedType(facts, Precision::kFp16), DType::kFloat16);
}

TEST(Problem, IsJudgedInWhatItSupportsElseAsGiven) {
  Problem problem;
  EXPECT_EQ(problem.In(Precision::kAsGiven), Precision::kFp32);
  EXPECT_EQ(problem.In(Precision::kBf16), Precision::kBf16);
  problem.given = Precision::kAsGiven;
  problem.precisions = {Precision::kFp16};
  EXPECT_EQ(problem.In(Precision::kAsGiven), Precision::kAsGiven);
  EXPECT_EQ(problem.In(Precision::kFp16), Precision::kFp16);
  EXPECT_EQ(problem.In(Precision::kBf16), Precision::kAsGiven);
  EXPECT_TRUE(problem.Supports(Precision::kAsGiven));
}

TEST(Flag, HoldsUnderPoliciesThatItCannotName) {
  const Flag flag{"collapses", "x", {Precision::kFp16}, {}, {"strict"}};
  EXPECT_TRUE(flag.Holds(Precision::kFp32, Size::kFull, "v3"));
  EXPECT_TRUE(flag.Holds(Precision::kAsGiven, Size::kFull, "strict"));
  EXPECT_FALSE(flag.Holds(Precision::kFp32, Size::kFull, "strict"));
  EXPECT_FALSE(flag.Holds(Precision::kFp16, Size::kFull, "kernelbench"));
}

TEST(NamedPolicy, NamesAreExact) {
  for (const char* name :
       {"kernelbench", "strict", "own-kernels", "v3", "original"}) {
    const auto policy = NamedPolicy(name);
    ASSERT_TRUE(policy) << name;
    EXPECT_EQ(policy->name, name);
  }
  for (const char* name : {"", "Strict", "own_kernels", "kernelbench "})
    EXPECT_FALSE(NamedPolicy(name)) << name;
}

TEST(NamedPolicy, OwnKernelsDiffersInWhoMustDoTheWorkAlone) {
  Policy policy = *NamedPolicy("own-kernels");
  EXPECT_FALSE(policy.allow_torch_ops);
  EXPECT_EQ(policy.provenance, ProvenanceRule::kRequired);
  EXPECT_EQ(policy.own_share, 0.5);
  policy.allow_torch_ops = true;
  policy.provenance = ProvenanceRule::kOff;
  policy.name = "kernelbench";
  EXPECT_EQ(policy, *NamedPolicy("kernelbench"));
}

TEST(NamedPolicy, StrictMeasuresTheToleranceAndMixesInputs) {
  const Policy strict = *NamedPolicy("strict");
  EXPECT_GT(strict.error_multiple, 0);
  EXPECT_EQ(strict.inputs, InputStyle::kMixed);
  EXPECT_TRUE(strict.redraw_flat_parameters);
  EXPECT_FALSE(strict.running_statistics);
  EXPECT_TRUE(NamedPolicy("kernelbench")->running_statistics);
  EXPECT_EQ(NamedPolicy("kernelbench")->error_multiple, 0);
  EXPECT_EQ(NamedPolicy("kernelbench")->inputs, InputStyle::kAsGiven);
}

TEST(Policy, AnEmptyObjectIsKernelbench) {
  EXPECT_EQ(*PolicyFromJson(Json::object()), *NamedPolicy("kernelbench"));
}

TEST(Policy, ANameOfOnesOwnStartsFromKernelbench) {
  const auto policy = PolicyFromJson({{"name", "mine"}, {"warm", true}});
  ASSERT_TRUE(policy) << policy.error().message();
  Policy expected;
  expected.name = "mine";
  expected.warm = true;
  EXPECT_EQ(*policy, expected);
}

TEST(Policy, AFieldWinsOverTheNamedPolicy) {
  const auto policy = PolicyFromJson(
      {{"inputs", "as_given"}, {"error_multiple", 0}, {"name", "strict"}});
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(policy->inputs, InputStyle::kAsGiven);
  EXPECT_EQ(policy->error_multiple, 0);
  EXPECT_TRUE(policy->redraw_flat_parameters) << "was not named";
}

// The oracle reads what the command wrote.
TEST(Policy, WhatIsUnlikeTheNamedOneIsReadAsItWasWritten) {
  for (const char* name : {"kernelbench", "strict", "own-kernels", "v3",
                           "original", "one of my own"}) {
    Policy policy = NamedPolicy(name).value_or(Policy{});
    policy.name = name;
    const auto survives = [&](const Policy& each) {
      const auto again = PolicyFromJson(ToJson(each));
      return again && *again == each;
    };
    EXPECT_TRUE(survives(policy)) << name;
    Policy without = policy;
    without.tolerances.clear();
    EXPECT_TRUE(survives(without)) << name;
    without.procedure = Procedure::kOwn;
    EXPECT_TRUE(survives(without)) << name;
    without.tolerance.reset();
    EXPECT_TRUE(survives(without)) << name;
  }
}

TEST(Policy, WholeNumbersAreGoodWhereANumberIsWanted) {
  const auto policy = PolicyFromJson({{"call_seconds", 3}});
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(policy->call_seconds, 3.0);
}

struct Bounds {
  const char* field;
  Json least;
  Json most;
  Json below;
  Json above;
};

TEST(Policy, BoundsAreAllowedAndWhatLiesBeyondIsNot) {
  constexpr int64_t kPebi = int64_t{1} << 50;
  const Bounds rows[] = {
      {"timed_seconds", 0, 86400, -0.001, 86400.5},
      {"relative_error", 0, 1, -0.001, 1.001},
      {"error_multiple", 0, 1e6, -0.001, 1000001},
      {"own_share", 0, 1, -0.001, 1.001},
      {"load_seconds", 1, 86400, 0.999, 86400.5},
      {"call_seconds", 0.01, 86400, 0.009, 86400.5},
      {"wall_seconds", 1, 86400, 0.999, 86400.5},
      {"compile_seconds", 1, 86400, 0.999, 86400.5},
      {"public_trials", 0, 5, -1, 6},
      {"max_timed_trials", 6, 100000, -1, 100001},
      {"processes", 0, 32, -1, 33},
      {"memory_bytes", 64 << 20, kPebi, (64 << 20) - 1, kPebi + 1},
  };
  for (const Bounds& row : rows) {
    EXPECT_TRUE(PolicyFromJson({{row.field, row.least}})) << row.field;
    EXPECT_TRUE(PolicyFromJson({{row.field, row.most}})) << row.field;
    EXPECT_TRUE(IsRefused({{row.field, row.below}})) << row.field;
    EXPECT_TRUE(IsRefused({{row.field, row.above}})) << row.field;
  }
}

TEST(Policy, TheLeastAndMostTrialsMayBeTheSame) {
  const auto policy =
      PolicyFromJson({{"min_timed_trials", 7}, {"max_timed_trials", 7}});
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_TRUE(IsRefused({{"min_timed_trials", 7}, {"max_timed_trials", 6}}));
}

TEST(Policy, OneTrialOfEitherKindIsEnough) {
  EXPECT_TRUE(PolicyFromJson({{"public_trials", 1},
                              {"min_timed_trials", 0},
                              {"max_timed_trials", 0}}));
  EXPECT_TRUE(PolicyFromJson({{"public_trials", 0}, {"min_timed_trials", 1}}));
}

TEST(Policy, ProvenanceIsOneOfThreeWords) {
  for (const char* word : {"off", "on", "required"})
    EXPECT_TRUE(PolicyFromJson({{"provenance", word}})) << word;
  EXPECT_TRUE(IsRefused({{"provenance", "yes"}}));
  EXPECT_TRUE(IsRefused({{"provenance", true}}));
}

TEST(Policy, AToleranceOfZeroIsOne) {
  const auto policy =
      PolicyFromJson({{"tolerance", {{"atol", 0}, {"rtol", 0.5}}}});
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(policy->tolerance, (Tolerance{0, 0.5}));
}

TEST(Policy, AToleranceHasTwoFieldsAndNoOthers) {
  const auto read = PolicyFromJson(
      {{"tolerance", {{"atol", 1e-3}, {"rtol", 1e-3}, {"reltol", 1}}}});
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message().find("tolerance"), std::string::npos);
}

TEST(Policy, WhatIsNoObjectIsRefused) {
  for (const Json& json : {Json(), Json(3), Json("strict"), Json(true)})
    EXPECT_TRUE(IsRefused(json)) << base::DumpJson(json);
}

TEST(Policy, ALongMistakeIsShortened) {
  const auto policy =
      PolicyFromJson({{"call_seconds", std::string(100000, 'x')}});
  ASSERT_FALSE(policy);
  EXPECT_LT(policy.error().message().size(), 200U);
}

TEST(Problem, AsksForItsOwnInputsInsteadOfMixedOnes) {
  Problem problem;
  const Policy strict = *NamedPolicy("strict");
  EXPECT_EQ(problem.Adjusted(strict, Precision::kFp32), strict);
  problem.inputs_as_given = true;
  Policy expected = strict;
  expected.inputs = InputStyle::kAsGiven;
  expected.distributions = false;
  EXPECT_EQ(problem.Adjusted(strict, Precision::kFp32), expected);
}

TEST(Problem, ThatIsRandomIsNotComparedWithFloat64) {
  Problem problem;
  problem.random_forward = true;
  const Policy policy =
      problem.Adjusted(*NamedPolicy("strict"), Precision::kFp32);
  EXPECT_EQ(policy.error_multiple, 0);
}

TEST(Problem, ItsToleranceIsOfOnePrecisionAndYieldsToThePolicys) {
  Problem problem;
  problem.tolerances = {{.precision = Precision::kBf16, .value = 0.25}};
  EXPECT_EQ(problem.Adjusted({}, Precision::kBf16).tolerance,
            (Tolerance{0.25, 0.25}));
  EXPECT_FALSE(problem.Adjusted({}, Precision::kFp32).tolerance);
  Policy policy;
  policy.tolerance = Tolerance{1, 2};
  EXPECT_EQ(problem.Adjusted(policy, Precision::kBf16).tolerance,
            policy.tolerance);
}

TEST(Problem, WithoutPrecisionsSupportsAll) {
  Problem problem;
  EXPECT_TRUE(problem.Supports(Precision::kFp16));
  problem.precisions = {Precision::kFp32, Precision::kBf16};
  EXPECT_TRUE(problem.Supports(Precision::kBf16));
  EXPECT_FALSE(problem.Supports(Precision::kFp16));
}

}  // namespace
}  // namespace kb::record
