#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace kb::workplace {

// The rows of a Parquet file as JSON objects, one a line. DuckDB's Python
// package reads it; an Error says how to get that.
base::Result<std::string> ParquetAsJsonLines(const std::string& path);

// Writes such lines as `path`. `columns`: the SQL type of each, by name.
base::Result<void> WriteParquet(
    const std::string& json_lines,
    const std::vector<std::pair<std::string, std::string>>& columns,
    const std::string& path);

// The folder with the tables of the Hub's data set "OWNER/NAME", fetched unless
// it was before. An Error says how to do without a network.
base::Result<std::string> FetchDataset(const std::string& name);

}  // namespace kb::workplace
