#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct EvalOptions {
  workplace::JudgeOptions judge;
  std::vector<std::string> problems;    // empty: the candidates say
  std::vector<std::string> candidates;  // files, folders, patterns, "-"
  bool watch = false;
  bool json_lines = false;
  std::string profile_run;  // a file; empty: none
  std::string counters;     // of `profile`: a file; empty: none
  bool list_counters = false;
};

void AddEval(Command* program, EvalOptions* options, Call* call);

}  // namespace kb::cli
