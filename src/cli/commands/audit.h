#pragma once

#include <cstdint>
#include <string>

#include "command.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct AuditOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  bool references = false;    // without mutants
  int64_t jobs = 1;           // lanes at the same time
  int64_t limit = 600;        // seconds for one problem's answers
  std::string shapes;         // file to compare with
  std::string record_shapes;  // file to write
  std::string record_costs;   // file to add to
};

void AddAudit(Command* program, AuditOptions* options, Call* call);

}  // namespace kb::cli
