#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "record/audit.h"
#include "workplace/workplace.h"

namespace kb::workplace {

// What became of one problem.
struct AuditLine {
  problems::Entry entry;
  std::optional<record::Audit> audit;
  std::string error;  // why there is none; empty as well: not reached
};

struct AuditPlan {
  bool mutants = true;
  int64_t jobs = 1;     // lanes at the same time
  int64_t limit = 600;  // seconds for one problem's answers
};

// Audits the problems on lanes of one device, with progress on a terminal. What
// runs out of memory beside others runs again by itself afterwards.
std::vector<AuditLine> AuditAll(const Workplace& workplace,
                                const AuditPlan& plan,
                                const std::vector<problems::Entry>& entries,
                                const std::stop_token& stop);

}  // namespace kb::workplace
