#include "policies.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kb::run {
namespace {

analysis::Entry JudgedBy(const std::string& policy, const std::string& file,
                         const std::string& model = "") {
  analysis::Entry entry;
  entry.run = "store";
  entry.outcome.policy = policy;
  entry.outcome.candidate_name = file;
  entry.outcome.model = model;
  entry.outcome.sample = model.empty() ? -1 : 0;
  return entry;
}

analysis::RunReading ReadingOfTwo(const std::vector<analysis::Entry>& entries) {
  analysis::RunReading reading;
  reading.paths = {"store.db", "other.db"};
  reading.names = {"store", "other"};
  reading.manifests = {{{"of", "store"}}, {{"of", "other"}}};
  reading.entries = entries;
  TakePoliciesApart(&reading);
  return reading;
}

std::vector<std::string> FilesByRun(const analysis::RunReading& reading) {
  std::vector<std::string> files;
  for (const analysis::Entry& entry : reading.entries)
    files.push_back(
        fmt::format("{}: {}", entry.run, entry.outcome.candidate_name));
  return files;
}

using Names = std::vector<std::string>;

TEST(TakePoliciesApart, FilesOfSeveralAreARunForEach) {
  const auto reading =
      ReadingOfTwo({JudgedBy("strict", "a"), JudgedBy("kernelbench", "a"),
                    JudgedBy("strict", "b")});
  EXPECT_EQ(FilesByRun(reading),
            (Names{"store under strict: a", "store under kernelbench: a",
                   "store under strict: b"}));
  EXPECT_EQ(reading.names,
            (Names{"store under kernelbench", "store under strict", "other"}));
  EXPECT_EQ(reading.paths, (Names{"store.db", "store.db", "other.db"}));
  EXPECT_EQ(reading.manifests[1].at("of"), "store");
  EXPECT_EQ(reading.manifests[2].at("of"), "other");
}

TEST(TakePoliciesApart, OnePolicyIsTheRun) {
  const auto reading = ReadingOfTwo(
      {JudgedBy("strict", "a"), JudgedBy("strict", "a"), JudgedBy("", "b")});
  EXPECT_EQ(FilesByRun(reading), (Names{"store: a", "store: a", "store: b"}));
  EXPECT_EQ(reading.names, (Names{"store", "other"}));
}

TEST(TakePoliciesApart, WhatAModelAnsweredOrNobodyJudgedKeepsTheName) {
  const auto reading =
      ReadingOfTwo({JudgedBy("strict", "a"), JudgedBy("kernelbench", "a"),
                    JudgedBy("strict", "m", "model"), JudgedBy("", "b")});
  EXPECT_EQ(FilesByRun(reading),
            (Names{"store under strict: a", "store under kernelbench: a",
                   "store: m", "store: b"}));
  EXPECT_EQ(reading.names, (Names{"store", "store under kernelbench",
                                  "store under strict", "other"}));
}

}  // namespace
}  // namespace kb::run
