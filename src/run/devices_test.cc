#include "devices.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace kb::run {
namespace {

// What a reading of one store has of a sample of a problem; of none: it has an
// answer without code.
analysis::Entry ResultOn(const std::string& device, const std::string& model,
                         const std::string& problem, int64_t sample) {
  analysis::Entry entry;
  entry.run = "both";
  entry.outcome.model = model;
  entry.outcome.problem_id = problem;
  entry.outcome.sample = sample;
  entry.outcome.device_name = device;
  if (device.empty())
    entry.outcome.unusable = record::GenerationStatus::kNoCode;
  else
    entry.outcome.verdict = record::Verdict::kCorrect;
  return entry;
}

analysis::RunReading ReadingOf(const std::vector<analysis::Entry>& entries) {
  analysis::RunReading reading;
  reading.paths = {"both.db"};
  reading.names = {"both"};
  reading.manifests = {{}};
  reading.entries = entries;
  TakeDevicesApart(&reading);
  return reading;
}

// By run, "MODEL PROBLEM SAMPLE" of each entry, with "?" of what is missing.
std::map<std::string, std::vector<std::string>> Apart(
    const analysis::RunReading& reading) {
  std::map<std::string, std::vector<std::string>> runs;
  for (const analysis::Entry& entry : reading.entries)
    runs[entry.run].push_back(
        fmt::format("{} {} {}{}", entry.outcome.model, entry.outcome.problem_id,
                    entry.outcome.sample, entry.missing ? "?" : ""));
  return runs;
}

using Lists = std::map<std::string, std::vector<std::string>>;

TEST(TakeDevicesApart, AModelIsOnTheDevicesThatItMet) {
  const auto reading =
      ReadingOf({ResultOn("A", "m", "p", 0), ResultOn("", "m", "p", 1),
                 ResultOn("", "m", "q", 0), ResultOn("B", "n", "p", 0),
                 ResultOn("", "n", "p", 1)});
  EXPECT_EQ(Apart(reading),
            (Lists{{"both on A by m", {"m p 0", "m p 1", "m q 0"}},
                   {"both on B by n", {"n p 0", "n p 1"}}}));
}

TEST(TakeDevicesApart, AProblemIsOnTheDevicesThatJudgedIt) {
  const auto reading =
      ReadingOf({ResultOn("A", "m", "p", 0), ResultOn("A", "m", "p", 1),
                 ResultOn("B", "m", "p", 0), ResultOn("A", "m", "q", 0),
                 ResultOn("", "m", "q", 1), ResultOn("", "m", "nowhere", 0)});
  EXPECT_EQ(
      Apart(reading),
      (Lists{{"both on A", {"m p 0", "m p 1", "m q 0", "m q 1", "m nowhere 0"}},
             {"both on B", {"m p 1?", "m p 0", "m nowhere 0"}}}));
}

TEST(TakeDevicesApart, AModelThatMetNoDeviceKeepsTheName) {
  const auto reading =
      ReadingOf({ResultOn("A", "m", "p", 0), ResultOn("B", "m", "p", 0),
                 ResultOn("", "n", "p", 0)});
  EXPECT_EQ(Apart(reading), (Lists{{"both", {"n p 0"}},
                                   {"both on A", {"m p 0"}},
                                   {"both on B", {"m p 0"}}}));
  EXPECT_EQ(reading.names,
            (std::vector<std::string>{"both on A", "both on B", "both"}));
  EXPECT_EQ(reading.paths.size(), 3U);
  EXPECT_EQ(reading.manifests.size(), 3U);
}

}  // namespace
}  // namespace kb::run
