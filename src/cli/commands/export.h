#pragma once

#include <string>

#include "command.h"

namespace kb::cli {

struct ExportOptions {
  std::string run;  // store file
  std::string format = "kernelbench";
  std::string out;   // new folder
  std::string pack;  // for names of problems
};

void AddExport(Command* program, ExportOptions* options, Call* call);

}  // namespace kb::cli
