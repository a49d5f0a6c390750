#pragma once

#include <string>

#include "command.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct DemoOptions {
  workplace::JudgeOptions judge;
  std::string samples;  // folder; empty: the installed ones
  std::string out = "kernelbench-demo";
  std::string filter;  // part of a sample's path
};

void AddDemo(Command* program, DemoOptions* options, Call* call);

}  // namespace kb::cli
