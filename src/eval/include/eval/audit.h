#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "lane/lane.h"
#include "record/audit.h"
#include "record/problem.h"

namespace kb::eval {

// A problem to examine.
struct AuditTask {
  record::Problem problem;
  record::Precision precision = record::Precision::kFp32;
  record::Policy policy;
};

// What became of it.
struct AuditResult {
  std::optional<record::Audit> audit;
  std::string error;  // why there is none; empty as well: not reached
};

struct AuditPlan {
  bool mutants = true;
  int64_t jobs = 1;     // lanes at the same time
  int64_t limit = 600;  // seconds for one problem's answers
};

// Told that number `done` + 1 of `of` begins. Called from several threads, one
// call at a time.
using AuditProgress =
    std::function<void(size_t done, size_t of, const AuditTask& task)>;

// Audits the problems on lanes of one device. What runs out of memory beside
// others runs again by itself afterwards.
std::vector<AuditResult> AuditAll(const std::vector<AuditTask>& tasks,
                                  const AuditPlan& plan,
                                  const lane::LaneOptions& lane,
                                  const AuditProgress& progress,
                                  const std::stop_token& stop);

// Examines one problem; a worker's own, so it may keep a lane.
using AuditOne = std::function<base::Result<record::Audit>(const AuditTask&)>;

// The same with the workers that `new_worker` makes for so many at once.
std::vector<AuditResult> AuditWith(
    const std::vector<AuditTask>& tasks, const AuditPlan& plan,
    const std::function<AuditOne(int64_t jobs)>& new_worker,
    const AuditProgress& progress, const std::stop_token& stop);

}  // namespace kb::eval
