// A run as data sets hold it: three tables of plain columns, which JSON Lines
// and Parquet carry alike (schemas dataset_result, dataset_problem,
// dataset_candidate).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "record/problem.h"

namespace kb::interop {

struct Table {
  std::string name;  // "results"
  // In order, each with its type in SQL.
  std::vector<std::pair<std::string, std::string>> columns;
  std::vector<base::Json> rows;  // objects with all columns; null: not known

  std::string AsJsonLines() const;
};

// One row an evaluation, then one an answer of a model that held no candidate.
Table ResultTable(const std::string& run,
                  const std::vector<record::Evaluation>& evaluations,
                  const std::vector<record::Generation>& answers);

// A problem as the results name it; `problem` is null when nobody knows its
// source.
struct NamedProblem {
  std::string id;
  std::string hash;
  record::Size size = record::Size::kFull;
  const record::Problem* problem = nullptr;
};
Table ProblemTable(const std::vector<NamedProblem>& problems);

// Each source once.
Table CandidateTable(const std::vector<record::Evaluation>& evaluations);

}  // namespace kb::interop
