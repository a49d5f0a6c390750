#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace kb::cli {

struct RunsOptions {
  std::string folder;             // of list; empty: where runs go by default
  std::vector<std::string> runs;  // store files
  std::string out;                // of merge
  bool yes = false;               // of delete
  bool json = false;
};

void AddRuns(Command* program, RunsOptions* options, Call* call);

}  // namespace kb::cli
