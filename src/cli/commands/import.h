#pragma once

#include <cstdint>
#include <string>

#include "command.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct ImportOptions {
  // `pack` is what is imported; the rest for references.
  workplace::JudgeOptions judge;
  std::string out;       // folder to write the usable problems to; empty: none
  bool run = false;      // references, too
  std::string level;     // of a run of the original
  std::string baseline;  // its baseline's times; empty: no speedups
  std::string model;     // that it is scored as; empty: what the run says
  int64_t jobs = 1;
  int64_t limit = 600;
};

void AddImport(Command* program, ImportOptions* options, Call* call);

}  // namespace kb::cli
