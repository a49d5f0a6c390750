#include "record/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kb::record {
namespace {

using base::Json;

Json Parsed(const std::string& text) {
  return base::ParseJson(text, "test").value_or(Json());
}

std::string ErrorOf(const std::string& value) {
  const auto failed = ValueFromJson(Parsed(value));
  return failed ? "" : failed.error().message();
}

Value Text(const std::string& text) { return Value{text}; }

TEST(TensorSpec, WithAnEmptyExtentHasNoBytes) {
  EXPECT_EQ((TensorSpec{DType::kFloat64, {1 << 20, 0, 7}}).Bytes(), 0U);
}

TEST(TensorSpec, OfNoExtentIsOneElement) {
  const TensorSpec scalar{DType::kFloat64, {}};
  EXPECT_EQ(scalar.Elements(), 1);
  EXPECT_EQ(scalar.Bytes(), 8U);
  EXPECT_EQ(scalar.ToString(), "float64[]");
}

TEST(TensorSpec, UpToTwoToTheFortyElementsAreRead) {
  const auto largest = TensorSpecFromJson(
      Parsed(R"({"dtype": "int64", "shape": [1048576, 1, 1048576]})"));
  ASSERT_TRUE(largest) << largest.error().message();
  EXPECT_EQ(largest->Elements(), int64_t{1} << 40);
  EXPECT_EQ(largest->Bytes(), uint64_t{1} << 43);
  EXPECT_FALSE(TensorSpecFromJson(
      Parsed(R"({"dtype": "int64", "shape": [1048577, 1, 1048576]})")));
}

TEST(TensorSpec, MistakesAreNamed) {
  const std::pair<const char*, const char*> mistakes[] = {
      {R"({"shape": [1]})", "dtype"},
      {R"({"dtype": "int8"})", "shape"},
      {R"({"dtype": "int8", "shape": {"0": "x"}})", "shape"},
      {R"({"dtype": "int8", "shape": ["x"]})", "shape"},
      {R"({"dtype": "float8", "shape": [1]})", "float8"},
      {R"({"dtype": "torch.int8", "shape": [1]})", "torch.int8"},
      {R"({"dtype": "int8", "shape": [3, -2]})", "[3, -2]"},
      {R"(["int8", [1]])", "dtype"},
  };
  for (const auto& [text, part] : mistakes) {
    const auto failed = TensorSpecFromJson(Parsed(text));
    ASSERT_FALSE(failed) << text;
    EXPECT_NE(failed.error().message().find(part), std::string::npos)
        << failed.error().message();
  }
}

TEST(NamedTensor, NeedsItsName) {
  const NamedTensor tensor{"fc.weight", {DType::kBFloat16, {4, 3}}};
  EXPECT_EQ(*NamedTensorFromJson(ToJson(tensor)), tensor);
  EXPECT_FALSE(NamedTensorFromJson(ToJson(tensor.spec)));
}

TEST(DType, WordsAreExact) {
  for (const char* word : {"", "float", "Float32", "float32 ", "complex64"})
    EXPECT_FALSE(ParseDType(word)) << word;
}

TEST(DType, ATypeOfSeveralLanesIsNotOurs) {
  EXPECT_EQ(FromDLPack(2, 32, 1), DType::kFloat32);
  EXPECT_FALSE(FromDLPack(2, 32, 0));
  EXPECT_FALSE(FromDLPack(2, 32, 2));
  EXPECT_FALSE(FromDLPack(1, 16, 1)) << "uint16";
}

TEST(Value, InfinitiesKeepTheirSign) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double number : {kInf, -kInf}) {
    const Json json = ToJson(Value{number});
    EXPECT_EQ(json["float"], number > 0 ? "inf" : "-inf");
    EXPECT_EQ(*ValueFromJson(json), Value{number});
  }
}

TEST(Value, NumbersComeBackToTheLastBit) {
  for (const double number : {0.1, -0.0, 5e-324, 1.7976931348623157e308}) {
    const auto back =
        ValueFromJson(Parsed(base::DumpJson(ToJson(Value{number}))));
    ASSERT_TRUE(back);
    const double read = std::get<double>(back->data);
    EXPECT_EQ(read, number);
    EXPECT_EQ(std::signbit(read), std::signbit(number));
  }
  for (const int64_t number : {std::numeric_limits<int64_t>::min(),
                               std::numeric_limits<int64_t>::max()})
    EXPECT_EQ(*ValueFromJson(Parsed(base::DumpJson(ToJson(Value{number})))),
              Value{number});
}

TEST(Value, ADictKeepsPythonsOrder) {
  const Value value{Value::Dict{{"z", "a", "m"}, {Text("1"), Text("2"), {}}}};
  const auto back = ValueFromJson(Parsed(base::DumpJson(ToJson(value))));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, value);
}

TEST(Value, BrokenDictsAreErrors) {
  for (const char* text :
       {R"({"dict": {"a": {"int": 1}}})", R"({"dict": [["a"]]})",
        R"({"dict": [[1, {"int": 1}]]})", R"({"dict": ["ab"]})",
        R"({"dict": [["a", {"int": 1}, 2]]})", R"({"dict": [["a", 1]]})"})
    EXPECT_NE(ErrorOf(text), "") << text;
}

TEST(Value, ATagWithAnotherBodyIsAnError) {
  for (const char* text :
       {R"({"bool": 1})", R"({"int": true})", R"({"int": "1"})",
        R"({"float": "Infinity"})", R"({"float": true})", R"({"str": 1})",
        R"({"list": 1})", R"({"tuple": {}})", R"({"tensor": 1})",
        R"({"tensor": {"dtype": "x", "shape": []}})", "[]", "null"})
    EXPECT_NE(ErrorOf(text), "") << text;
}

TEST(Value, AnIntegerBeyond64BitsIsAnError) {
  EXPECT_TRUE(ValueFromJson({{"int", 9223372036854775807}}));
  EXPECT_FALSE(ValueFromJson({{"int", 9223372036854775808ULL}}));
}

TEST(Value, OneBrokenItemBreaksTheWholeList) {
  EXPECT_NE(
      ErrorOf(R"({"list": [{"int": 1}, {"tuple": [{"odd": 1}]}]})").find("odd"),
      std::string::npos);
}

TEST(Value, TensorsOfADictAreNumberedInItsOrder) {
  const TensorSpec first{DType::kInt8, {1}};
  const TensorSpec second{DType::kInt8, {2}};
  const Value dict{Value::Dict{
      {"z", "a"}, {Value{Value::Tensor{first}}, Value{Value::Tensor{second}}}}};
  EXPECT_EQ(TensorsOf({Value{true}, dict}),
            (std::vector<TensorSpec>{first, second}));
  EXPECT_TRUE(TensorsOf({}).empty());
}

}  // namespace
}  // namespace kb::record
