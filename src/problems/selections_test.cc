#include "selections.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "problems/costs.h"
#include "table.h"

namespace kb::problems {
namespace {

using Words = std::vector<std::string>;

TEST(Costs, AreWrittenInTheOrderOfPeople) {
  Costs costs;
  for (const char* id : {"level1/10", "level1/9"})
    costs[id][record::Size::kFull].memory_bytes = 1;
  const std::string text = ToText(costs);
  EXPECT_LT(text.find("level1/9"), text.find("level1/10"));
  EXPECT_EQ(*CostsFromText(text), costs);
  EXPECT_TRUE(CostsFromText(ToText({}))->empty());
}

TEST(Costs, WithMistakesAreErrors) {
  for (const char* text :
       {"", "{", "3", R"({"level1/1": {"huge": {}}})",
        R"({"level1/1": {"full": {"memory_bytes": 1}}})",
        R"({"level1/1": {"full": 3}})", R"({"level1/1": 3})"})
    EXPECT_FALSE(CostsFromText(text)) << text;
}

TEST(Selections, MistakesAreNamedWithTheirLineAndTheRestIsRead) {
  std::vector<Issue> issues;
  const auto read = ReadSelections("s.toml",
                                   "other = 1\n[a]\nabout = 2\n"
                                   "levels = [\"1\"]\n[b]\nlevel = [\"1\"]\n"
                                   "problems = [1]\nwithout = \"x\"\n",
                                   &issues);
  std::vector<int> lines;
  for (const Issue& issue : issues) lines.push_back(issue.line);
  std::ranges::sort(lines);
  EXPECT_EQ(lines, (std::vector<int>{1, 3, 6, 7, 8}));
  EXPECT_EQ(read.at("a").levels, Words{"1"});
  EXPECT_FALSE(read.contains("other"));
}

TEST(Selections, SayHowTheyAreRun) {
  std::vector<Issue> issues;
  const auto read = ReadSelections(
      "s.toml",
      "[a]\npolicy = \"v3\"\nbaselines = [\"eager\", \"compile\"]\n"
      "limits = { level2 = { turns = 12, seconds = 1800 } }\n",
      &issues);
  EXPECT_TRUE(issues.empty());
  const Selection& selection = read.at("a");
  EXPECT_EQ(selection.policy, "v3");
  EXPECT_EQ(selection.baselines, (Words{"eager", "compile"}));
  EXPECT_EQ(selection.limits.at("level2"), (Limits{12, 1800}));
}

TEST(Selections, AreNotRunInWaysThatThereAreNot) {
  for (const char* field :
       {"policy = \"lenient\"", "policy = 3", "baselines = [\"slow\"]",
        "baselines = \"eager\"", "limits = 3", "limits = { level1 = 3 }",
        "limits = { level1 = { turns = 3 } }",
        "limits = { level1 = { turns = 0, seconds = 3 } }",
        "limits = { level1 = { turns = 3, seconds = 3, more = 1 } }"}) {
    std::vector<Issue> issues;
    ReadSelections("s.toml", std::string("[a]\n") + field + "\n", &issues);
    ASSERT_EQ(issues.size(), 1U) << field;
    EXPECT_EQ(issues[0].line, 2) << field;
  }
}

TEST(Selections, WhatIsNoTomlIsOneIssue) {
  std::vector<Issue> issues;
  EXPECT_TRUE(ReadSelections("s.toml", "[a]\nx = = 1\n", &issues).empty());
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0].line, 2);
}

TEST(Table, IsKnownByItsEnding) {
  EXPECT_TRUE(IsTable("a/b.jsonl"));
  EXPECT_TRUE(IsTable("b.parquet"));
  for (const char* path : {"", "jsonl", "a.json", "a.jsonl.gz", "a.JSONL"})
    EXPECT_FALSE(IsTable(path)) << path;
}

}  // namespace
}  // namespace kb::problems
