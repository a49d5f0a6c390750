#pragma once

#include "commands/selftest.h"

namespace kb::cli {

// `selftest --hostile --legitimate`: what is the verdict of programs whose
// nature is known.
base::Result<ExitCode> RunCorpus(const SelftestOptions& options);

// `selftest --export FOLDER`: the same programs as files.
base::Result<ExitCode> ExportCorpus(const SelftestOptions& options);

}  // namespace kb::cli
