#include "base/nesting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace kb::base {
namespace {

std::string Times(size_t count, const std::string& text) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string DeepList(size_t depth) {
  return Times(depth, "[") + Times(depth, "]");
}

std::string TomlError(const std::string& text) {
  const auto deep = DeepToml(text);
  return deep ? fmt::format("line {}: {}", deep->line, deep->message)
              : "no error";
}

void ExpectRefused(const std::string& text) {
  const auto json = ParseJson(text, "an answer");
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().message(),
            "an answer: line 1: brackets are nested more than 256 deep, "
            "which is not read; make it flatter");
}

TEST(Nesting, DeepJsonIsAnErrorAndNoCrash) {
  ExpectRefused(DeepList(80000));
  ExpectRefused(Times(80000, R"({"a":)") + "1" + Times(80000, "}"));
  ExpectRefused(Times(80000, R"([{"a":)"));
  ExpectRefused(DeepList(257));
}

TEST(Nesting, JsonAsDeepAsTheLimitIsRead) {
  EXPECT_TRUE(ParseJson(DeepList(256), "an answer"));
  EXPECT_TRUE(
      ParseJson(std::string("[") + Times(1000, "[[]],") + "[]]", "an answer"));
}

TEST(Nesting, BracketsOfAStringAreNoLevels) {
  const Json text(Times(1000, "[{\"\\"));
  const auto json = ParseJson(DumpJson(text), "an answer");
  ASSERT_TRUE(json) << json.error().message();
  EXPECT_EQ(*json, text);
}

TEST(Nesting, LongTomlKeysAreRefused) {
  EXPECT_EQ(
      TomlError(std::string("x = 1\n") + Times(200000, "a.") + "a = 1\n"),
      "line 2: a key has more than 64 parts, which is not read; shorten it");
  EXPECT_NE(TomlError(std::string("[") + Times(64, "a . ") + "a]"), "no error");
  EXPECT_NE(TomlError(std::string("x = { ") + Times(64, "\"a.\".") + "a = 1 }"),
            "no error");
  EXPECT_EQ(TomlError(Times(63, "a.") + "a = 1.5"), "no error");
}

TEST(Nesting, DeepTomlIsRefused) {
  EXPECT_EQ(TomlError(std::string("\n\nx = ") + DeepList(65)),
            "line 3: brackets are nested more than 64 deep, which "
            "is not read; make it flatter");
  EXPECT_NE(TomlError(std::string("x = ") + Times(65, "{a = ")), "no error");
  EXPECT_EQ(TomlError(std::string("x = ") + DeepList(64)), "no error");
  EXPECT_EQ(TomlError(Times(1000, "[[a.b]]\nx = { y = [[1.5], []] }\n")),
            "no error");
}

TEST(Nesting, WhatTomlDoesNotReadAsStructureIsNoLevel) {
  const std::string much = Times(100, "[{a.");
  for (const char* quotes : {"'", "\"", "'''", "\"\"\""})
    EXPECT_EQ(TomlError(std::string("x = ") + quotes + much + quotes + "\n"),
              "no error")
        << quotes;
  EXPECT_EQ(TomlError("# it's " + much + "\nx = 1\n"), "no error");
  EXPECT_EQ(TomlError("x = \"\\\"" + much + "\"\n"), "no error");
  EXPECT_EQ(TomlError("x = \"\"\"a\n\"\" " + much + "\"\"\"\"\"\n"),
            "no error");
}

TEST(Nesting, QuotesThatTomlHasReadDoNotHideWhatFollows) {
  const std::string deep = std::string("\ny = ") + DeepList(65);
  for (const char* value :
       {"''", "\"\"", "''''''", "\"\"\"\"\"\"", "'''a'''''", "\"\"\"a\"\"\"\"",
        "'\\'", "\"\\\\\"", "'''\\'''", "1 # '"})
    EXPECT_NE(TomlError(std::string("x = ") + value + deep), "no error")
        << value;
}

}  // namespace
}  // namespace kb::base
