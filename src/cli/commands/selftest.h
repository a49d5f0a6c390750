#pragma once

#include <string>

#include "command.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct SelftestOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  std::string mode = "eager";  // of the candidate; the reference is eager

  // Programs whose verdict is known (tests/hostile, tests/legitimate).
  bool hostile = false;
  bool legitimate = false;
  std::string filter;
  bool quick = false;
  bool honest_between = false;
  std::string export_folder;
};

void AddSelftest(Command* program, SelftestOptions* options, Call* call);

}  // namespace kb::cli
