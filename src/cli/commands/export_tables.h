#pragma once

#include "commands/export.h"

namespace kb::cli {

// Writes results, problems and candidates of the run as tables.
base::Result<ExitCode> ExportTables(const ExportOptions& options);

}  // namespace kb::cli
