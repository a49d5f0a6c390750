#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct BaselineOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  std::vector<std::string> modes{"all"};
  bool again = false;         // measure what is known, too
  bool again_failed = false;  // measure what is known to have no time, too
  int64_t limit = 1200;
  int64_t compile_ahead = 1;
  std::string compiled;              // folder that keeps it; empty: none
  std::string file;                  // that keeps what is known; empty: none
  std::vector<std::string> compare;  // two such files; empty: measure
  std::string out;          // folder for the original's files; empty: none
  std::string profile_run;  // a file; empty: none
};

void AddBaseline(Command* program, BaselineOptions* options, Call* call);

}  // namespace kb::cli
