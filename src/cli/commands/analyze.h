#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "shared_options.h"

namespace kb::cli {

struct AnalyzeOptions {
  std::vector<std::string> runs;  // store files
  std::string pack;               // for tags and flags
  ScoringChoice scoring;
  std::string baseline = "eager";
  bool csv = false;
  bool json = false;
};

void AddAnalyze(Command* program, AnalyzeOptions* options, Call* call);

}  // namespace kb::cli
