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
