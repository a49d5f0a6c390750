#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "record/evaluation.h"

namespace kb::record {
namespace {

using base::Json;

Json Parsed(const std::string& text) { return *base::ParseJson(text, "test"); }

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Value, KindsStayApart) {
  for (const Value& value :
       {Value{int64_t{1}}, Value{1.0}, Value{true}, Value{std::string("1")},
        Value{Value::List{{}, false}}, Value{Value::List{{}, true}}}) {
    const auto back = ValueFromJson(Parsed(base::DumpJson(ToJson(value))));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->data.index(), value.data.index());
    EXPECT_EQ(*back, value);
  }
}

TEST(Value, NanSurvives) {
  const auto back =
      ValueFromJson(Parsed(base::DumpJson(ToJson(Value{std::nan("")}))));
  ASSERT_TRUE(back);
  EXPECT_TRUE(std::isnan(std::get<double>(back->data)));
}

TEST(Value, UnknownFormIsAnErrorThatShowsIt) {
  for (const char* text : {"3", "{}", R"({"int": 1.5})", R"({"bytes": "x"})",
                           R"({"int": 1, "float": 2})"}) {
    const auto failed = ValueFromJson(Parsed(text));
    EXPECT_FALSE(failed) << text;
  }
  EXPECT_TRUE(Contains(
      ValueFromJson(Parsed(R"({"bytes": "x"})")).error().message(), "bytes"));
}

TEST(Value, TensorsAreNumberedDepthFirst) {
  const TensorSpec a{DType::kFloat32, {1}};
  const TensorSpec b{DType::kFloat32, {2}};
  const TensorSpec c{DType::kFloat32, {3}};
  const Value nested{
      Value::List{{Value{int64_t{0}}, Value{Value::Tensor{a}},
                   Value{Value::List{{Value{Value::Tensor{b}}}, true}}},
                  false}};
  EXPECT_EQ(TensorsOf({nested, Value{Value::Tensor{c}}}),
            (std::vector<TensorSpec>{a, b, c}));
}

TEST(TensorSpec, ShapesOutOfRangeAreRefused) {
  for (const char* shape : {"[-1]", "[1099511627777]", "[1048576, 1048576, 2]",
                            "[9223372036854775807, 9223372036854775807]", "3"})
    EXPECT_FALSE(TensorSpecFromJson(
        Parsed(std::string(R"({"dtype": "int8", "shape": )") + shape + "}")))
        << shape;
  EXPECT_FALSE(TensorSpecFromJson(Parsed(R"({"dtype": "c64", "shape": []})")));
}

TEST(TensorSpec, CountsElementsAndBytes) {
  const TensorSpec spec{DType::kFloat16, {128, 64}};
  EXPECT_EQ(spec.Elements(), 8192);
  EXPECT_EQ(spec.Bytes(), 16384u);
  EXPECT_EQ(spec.ToString(), "float16[128, 64]");
  EXPECT_EQ((TensorSpec{DType::kInt64, {}}).Elements(), 1);
  EXPECT_EQ((TensorSpec{DType::kInt64, {5, 0}}).Elements(), 0);
}

TEST(DType, NamesSizesAndDLPackCodesBelongTogether) {
  struct Row {
    DType dtype;
    const char* name;
    size_t size;
    uint8_t code;  // dlpack.h
    bool floating;
  };
  const Row rows[] = {
      {DType::kBool, "bool", 1, 6, false},
      {DType::kUInt8, "uint8", 1, 1, false},
      {DType::kInt8, "int8", 1, 0, false},
      {DType::kInt16, "int16", 2, 0, false},
      {DType::kInt32, "int32", 4, 0, false},
      {DType::kInt64, "int64", 8, 0, false},
      {DType::kFloat16, "float16", 2, 2, true},
      {DType::kBFloat16, "bfloat16", 2, 4, true},
      {DType::kFloat32, "float32", 4, 2, true},
      {DType::kFloat64, "float64", 8, 2, true},
      {DType::kFloat8E4M3, "float8_e4m3fn", 1, 10, true},
      {DType::kFloat8E5M2, "float8_e5m2", 1, 12, true},
  };
  for (const Row& row : rows) {
    EXPECT_STREQ(DTypeName(row.dtype), row.name);
    EXPECT_EQ(ParseDType(row.name), row.dtype);
    EXPECT_EQ(DTypeSize(row.dtype), row.size);
    EXPECT_EQ(IsFloating(row.dtype), row.floating);
    const DLPackType packed = ToDLPack(row.dtype);
    EXPECT_EQ(packed.code, row.code);
    EXPECT_EQ(packed.bits, 8 * row.size);
    EXPECT_EQ(FromDLPack(packed.code, packed.bits, 1), row.dtype);
  }
  EXPECT_EQ(FromDLPack(2, 32, 4), std::nullopt);
  EXPECT_EQ(FromDLPack(5, 64, 1), std::nullopt);
}

TEST(Verdict, NamesAreTheDocumentedTen) {
  const std::pair<Verdict, const char*> names[] = {
      {Verdict::kCorrect, "correct"},
      {Verdict::kIncorrect, "incorrect"},
      {Verdict::kCompileError, "compile_error"},
      {Verdict::kLoadError, "load_error"},
      {Verdict::kRuntimeError, "runtime_error"},
      {Verdict::kTimeout, "timeout"},
      {Verdict::kOutOfMemory, "out_of_memory"},
      {Verdict::kRejected, "rejected"},
      {Verdict::kNotCertified, "not_certified"},
      {Verdict::kInfraError, "infra_error"},
  };
  for (const auto& [verdict, name] : names) {
    EXPECT_STREQ(VerdictName(verdict), name);
    EXPECT_EQ(ParseVerdict(name), verdict);
  }
  EXPECT_EQ(ParseVerdict("Correct"), std::nullopt);
}

TEST(Policy, MissingFieldsAreThoseOfTheNamedPolicy) {
  const auto policy =
      PolicyFromJson(Parsed(R"({"name": "strict", "call_seconds": 3})"));
  ASSERT_TRUE(policy);
  Policy expected = *NamedPolicy("strict");
  expected.call_seconds = 3;
  EXPECT_EQ(*policy, expected);
}

TEST(Policy, TheDocumentListsEveryFieldWithItsDefault) {
  const std::string path = std::string(KB_SOURCE_DIR) + "/docs/policies.md";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  ASSERT_FALSE(text.str().empty()) << path;
  EXPECT_TRUE(Contains(text.str(), "| `tolerance` | |"));
  const Json fields = ToJson(Policy());
  for (const auto& field : fields.items()) {
    if (field.key() == "name") continue;
    const std::string row =
        "| `" + field.key() + "` | `" + base::DumpJson(field.value()) + "` |";
    EXPECT_TRUE(Contains(text.str(), row)) << row;
  }
}

TEST(Policy, MistakesAreUsageErrorsThatNameTheField) {
  const std::pair<const char*, const char*> mistakes[] = {
      {R"({"cal_seconds": 3})", "cal_seconds"},
      {R"({"name": 1})", "name is 1; it must be text"},
      {R"({"call_seconds": "three"})",
       "call_seconds is \"three\"; it must be a number"},
      {R"({"public_trials": 1.5})",
       "public_trials is 1.5; it must be a whole number"},
      {R"({"public_trials": true})", "public_trials is true"},
      {R"({"processes": 18446744073709551615})", "processes is 184467"},
      {R"({"warm": 1})", "warm is 1; it must be true or false"},
      {R"({"min_isolation": null})", "min_isolation is null"},
      {R"({"inputs": 3})", "inputs is 3"},
      {R"({"tolerance": 0.1})", "tolerance is 0.1"},
      {R"({"tolerance": {"atol": "x", "rtol": 1}})", "atol is \"x\""},
      {R"({"tolerance": {"atol": 1, "rtol": -1}})", "rtol is -1"},
      {R"({"call_seconds": 0})", "call_seconds is 0.0; it must be 0.01 to"},
      {R"({"wall_seconds": 0.1})", "wall_seconds is 0.1; it must be 1 to"},
      {R"({"load_seconds": 1e300})", "load_seconds is 1e+300"},
      {R"({"timed_seconds": -1})", "timed_seconds is -1"},
      {R"({"relative_error": -0.1})", "relative_error is -0.1"},
      {R"({"error_multiple": -8})", "error_multiple is -8"},
      {R"({"memory_bytes": -5})", "memory_bytes is -5"},
      {R"({"memory_bytes": 0})", "memory_bytes is 0"},
      {R"({"public_trials": 6})", "public_trials"},
      {R"({"min_timed_trials": 9, "max_timed_trials": 3})", "min_timed_trials"},
      {R"({"public_trials": 0, "min_timed_trials": 0})", "at least one"},
      {R"({"inputs": "odd"})", "odd"},
      {R"({"tolerance": {"atol": 1}})", "rtol"},
      {R"([])", "object"},
  };
  for (const auto& [text, part] : mistakes) {
    const auto failed = PolicyFromJson(Parsed(text));
    ASSERT_FALSE(failed) << text;
    EXPECT_EQ(failed.error().kind(), base::Error::Kind::kUsage);
    EXPECT_TRUE(Contains(failed.error().message(), part))
        << failed.error().message();
  }
}

TEST(Records, ATrialOfBeforeOnceWasReadIsOneWithoutIt) {
  Trial before;
  before.constant_us = 150;
  Json json = ToJson(before);
  ASSERT_EQ(json.erase("reference_once_us"), 1U);
  ASSERT_EQ(json.erase("candidate_once_us"), 1U);
  const auto trial = TrialFromJson(json);
  ASSERT_TRUE(trial);
  EXPECT_EQ(*trial, before);
}

TEST(Records, MissingFieldsAreErrorsThatNameThem) {
  Json trial = ToJson(Trial{});
  trial.erase("candidate_us");
  ASSERT_FALSE(TrialFromJson(trial));
  EXPECT_TRUE(Contains(TrialFromJson(trial).error().message(), "candidate_us"));
  Json mismatch = ToJson(Mismatch{});
  mismatch.erase("pattern");
  ASSERT_FALSE(MismatchFromJson(mismatch));
  EXPECT_TRUE(
      Contains(MismatchFromJson(mismatch).error().message(), "pattern"));
  // A store may have been written before a field was there.
  EXPECT_EQ(*RulerFromJson(Json::object()), Ruler());
  EXPECT_FALSE(RulerFromJson({{"calls", "many"}}));
  EXPECT_FALSE(TimeSummaryFromJson(Json::object()));
  EXPECT_FALSE(DeviceFactsFromJson(Parsed("[]")));
  EXPECT_FALSE(ProblemFactsFromJson(Json::object()));
}

TEST(Hashes, FollowTheSourceAndTheTrack) {
  Candidate candidate;
  candidate.source = "x";
  Candidate other = candidate;
  other.name = "elsewhere";
  EXPECT_EQ(candidate.Hash(), other.Hash());
  other.track = Track::kPython;
  EXPECT_NE(candidate.Hash(), other.Hash());
  Problem problem;
  problem.source = "a";
  Problem small = problem;
  small.source = "b";
  EXPECT_NE(problem.Hash(), small.Hash());
}

}  // namespace
}  // namespace kb::record
