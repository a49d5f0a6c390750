#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "shared_options.h"

namespace kb::cli {

struct ReportOptions {
  std::vector<std::string> runs;
  std::string out = "report.html";
  std::string pack;
  std::string baseline = "eager";
  bool with_flagged = false;
  ScoringChoice scoring;
};

void AddReport(Command* program, ReportOptions* options, Call* call);

}  // namespace kb::cli
