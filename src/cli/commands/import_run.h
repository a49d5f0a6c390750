#pragma once

#include "commands/import.h"

namespace kb::cli {

// Whether the path is a run of the original: a folder with eval_results.json.
bool IsOriginalRun(const std::string& path);

// Adds the run's results to a store.
base::Result<ExitCode> ImportRun(const ImportOptions& options);

}  // namespace kb::cli
