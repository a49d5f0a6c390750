// What the original's files have no place for: kernelbench.json beside an
// eval_results.json that we wrote, so that an import gives the same run again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/evaluation.h"

namespace kb::interop {

constexpr const char* kExportFactsFile = "kernelbench.json";

struct ExportFacts {
  struct Sample {
    std::string problem_hash;
    std::string model;
    record::Size size = record::Size::kFull;
    record::Precision precision = record::Precision::kFp32;
    std::optional<record::Verdict> verdict;   // none: not run on that device
    std::string policy;                       // its name
    std::optional<record::Interval> speedup;  // over PyTorch eager
    std::optional<record::Interval> wall_speedup;
  };
  std::string level;
  std::map<std::string, record::Policy> policies;  // by name
  // By the numbers of problem and sample that the original's file has. Those
  // that were not run, or that failed by our fault, are here and not there.
  std::map<std::pair<int64_t, int64_t>, Sample> samples;
};

// Of evaluations of one level, as EvalResults numbers them.
base::Json ExportFactsOf(const std::vector<record::Evaluation>& evaluations,
                         const std::string& level);
// Also what version 1 wrote, which had neither policies nor speedups.
base::Result<ExportFacts> ParseExportFacts(const std::string& text);

}  // namespace kb::interop
