// What the original's files have no place for: kernelbench.json beside an
// eval_results.json that we wrote, so that an import gives the same run again.
#pragma once

#include <map>
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
    record::Verdict verdict = record::Verdict::kCorrect;
  };
  std::string level;
  // By the numbers of problem and sample that the original's file has.
  std::map<std::pair<int64_t, int64_t>, Sample> samples;
};

// Of evaluations of one level, as EvalResults numbers them.
base::Json ExportFactsOf(const std::vector<record::Evaluation>& evaluations,
                         const std::string& level);
base::Result<ExportFacts> ParseExportFacts(const std::string& text);

}  // namespace kb::interop
