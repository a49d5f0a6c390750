#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "eval/audit.h"
#include "problems/pack.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What became of one problem.
struct AuditLine {
  problems::Entry entry;
  std::optional<record::Audit> audit;
  std::string error;  // why there is none; empty as well: not reached
};

// Audits problems of the pack, with progress on a terminal.
std::vector<AuditLine> AuditEntries(const workplace::Workplace& workplace,
                                    const eval::AuditPlan& plan,
                                    const std::vector<problems::Entry>& entries,
                                    const std::stop_token& stop);

}  // namespace kb::cli
