#pragma once

#include <string>

#include "command.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct SelftestOptions {
  // Programs whose verdict is known (tests/hostile, tests/legitimate).
  workplace::JudgeOptions judge;
  bool hostile = false;
  bool legitimate = false;
  std::string filter;
  bool quick = false;
  bool honest_between = false;
  std::string export_folder;

  // References as their own candidates.
  struct Timing {
    workplace::JudgeOptions judge;
    workplace::SelectionOptions selection;
  } timing;
};

void AddSelftest(Command* program, SelftestOptions* options, Call* call);

}  // namespace kb::cli
