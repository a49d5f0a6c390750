#include "base/json.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::base {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto json = ParseJson(text, "policy.json");
  return json ? "no error" : json.error().message();
}

TEST(ParseJson, ErrorNamesWhatWasRead) {
  for (const char* text : {"", " ", "{", "{\"a\":}", "[1,]", "nul", "1 2",
                           "\"open", "{\"a\" 1}", "\x80", "\"\xff\"", "1e999"})
    EXPECT_TRUE(ErrorOf(text).starts_with("policy.json: not valid JSON: "))
        << text << ": " << ErrorOf(text);
}

TEST(ParseJson, AnyValueIsADocument) {
  EXPECT_EQ(ParseJson(" null ", "x").value(), Json(nullptr));
  EXPECT_EQ(ParseJson("-7", "x").value(), Json(-7));
  EXPECT_EQ(ParseJson("18446744073709551615", "x").value(),
            Json(18446744073709551615ULL));
}

TEST(DumpJson, KeysKeepTheirOrder) {
  const std::string text = R"({"b":1,"a":[true,null],"c":"x"})";
  EXPECT_EQ(DumpJson(ParseJson(text, "x").value()), text);
}

TEST(DumpJson, IsOneLineUnlessIndented) {
  const Json json{{"a", "x\ny"}};
  EXPECT_EQ(DumpJson(json), R"({"a":"x\ny"})");
  EXPECT_EQ(DumpJson(json, 2), "{\n  \"a\": \"x\\ny\"\n}");
}

TEST(DumpJson, BadBytesAreReplaced) {
  EXPECT_EQ(DumpJson(Json("a\xff"
                          "b")),
            "\"a\ufffdb\"");
  EXPECT_TRUE(ParseJson(DumpJson(Json("\xed\xa0\x80\xe2\x82")), "x"));
}

TEST(Get, ValuesOfEachType) {
  const Json json{{"bool", true}, {"int", -5},  {"double", 0.5},
                  {"text", "x"},  {"any", {1}}, {"null", nullptr}};
  EXPECT_EQ(Get<bool>(json, "bool").value(), true);
  EXPECT_EQ(Get<int64_t>(json, "int").value(), -5);
  EXPECT_EQ(Get<double>(json, "double").value(), 0.5);
  EXPECT_EQ(Get<double>(json, "int").value(), -5.0);
  EXPECT_EQ(Get<std::string>(json, "text").value(), "x");
  EXPECT_EQ(Get<Json>(json, "any").value(), Json::array({1}));
  EXPECT_EQ(Get<Json>(json, "null").value(), Json(nullptr));
}

TEST(Get, MissingFieldIsNamed) {
  for (const Json& json :
       {Json::object(), Json(nullptr), Json::array({"a"}), Json("a")}) {
    const auto value = Get<Json>(json, "a");
    ASSERT_FALSE(value) << json;
    EXPECT_EQ(value.error().message(), "missing field \"a\"");
  }
}

TEST(Get, NumbersAreNotCutToFit) {
  const Json json{{"fraction", 1.5},  {"large", 18446744073709551615ULL},
                  {"negative", -1},   {"most", 9223372036854775807},
                  {"list", {1, 2.5}}, {"truth", true}};
  EXPECT_EQ(Get<int64_t>(json, "most").value(), 9223372036854775807);
  EXPECT_EQ(Get<uint64_t>(json, "large").value(), 18446744073709551615ULL);
  for (const char* key : {"fraction", "large", "truth"})
    EXPECT_FALSE(Get<int64_t>(json, key)) << key;
  EXPECT_FALSE(Get<uint64_t>(json, "negative"));
  EXPECT_FALSE(Get<uint32_t>(json, "most"));
  const auto list = Get<std::vector<int64_t>>(json, "list");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().message(),
            "field \"list\": [1,2.5] is no whole number in range");
}

// A null is there and yet no value.
template <typename T>
void ExpectWrongType(const Json& value) {
  const auto got = Get<T>(Json{{"trials", value}}, "trials");
  ASSERT_FALSE(got) << value;
  EXPECT_TRUE(got.error().message().starts_with("field \"trials\": "))
      << got.error().message();
}

TEST(Get, WrongTypeIsAnErrorForEachType) {
  for (const Json& value : {Json(nullptr), Json("1"), Json::array({1})}) {
    ExpectWrongType<int64_t>(value);
    ExpectWrongType<double>(value);
    ExpectWrongType<bool>(value);
  }
  ExpectWrongType<bool>(1);
  ExpectWrongType<int64_t>(true);
  ExpectWrongType<std::string>(1);
}

}  // namespace
}  // namespace kb::base
