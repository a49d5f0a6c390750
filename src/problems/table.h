#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "problems/pack.h"

namespace kb::problems {

// One problem of a table as it came.
struct Row {
  int number = 0;      // line of the file, or row, from 1
  std::string source;  // Python
  std::string level;   // "1"; empty: none
  std::string id;      // "23": letters, digits, _ and -; made of the name where
                       // there is none; empty: neither
  std::string name;    // "23_Softmax", any text; empty: none
};

// Whether `path` names a table: .jsonl or .parquet.
bool IsTable(const std::string& path);

// The rows of a file of JSON objects, one a line, or of a Parquet file. Columns
// go by the names of known exports: code, level, problem_id, name (the
// original's on Hugging Face) and others (docs/problems.md). What is wrong with
// one row is told to `complain` with its number and stops no other; an Error
// means that nothing can be read.
base::Result<std::vector<Row>> ReadTable(
    const std::string& path, const Pack::ParquetReader& parquet,
    const std::function<void(int row, const std::string& message)>& complain);

}  // namespace kb::problems
