#include "eval/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "open_lane.h"

namespace kb::eval {
namespace {

using base::Result;

// PyTorch's words and the driver's.
bool SaysNoMemory(const std::string& text) {
  return text.find("out of memory") != std::string::npos ||
         text.find("OUT_OF_MEMORY") != std::string::npos ||
         text.find("OutOfMemoryError") != std::string::npos;
}

bool RanOutOfMemory(const AuditResult& result) {
  if (!result.audit) return SaysNoMemory(result.error);
  return std::ranges::any_of(
      result.audit->mutants, [](const record::MutantResult& mutant) {
        return mutant.status == record::MutantResult::Status::kFailed &&
               SaysNoMemory(mutant.detail);
      });
}

class Auditor {
 public:
  Auditor(const std::vector<AuditTask>& tasks, const AuditPlan& plan,
          const std::function<AuditOne(int64_t)>& new_worker,
          const AuditProgress& progress, std::stop_token stop)
      : tasks_(tasks),
        plan_(plan),
        new_worker_(new_worker),
        progress_(progress),
        stop_(std::move(stop)),
        results_(tasks.size()) {}

  std::vector<AuditResult> Run() {
    std::vector<size_t> queue(tasks_.size());
    std::iota(queue.begin(), queue.end(), size_t{0});
    RunQueue(std::move(queue), plan_.jobs);
    if (plan_.jobs > 1) {
      std::vector<size_t> again;
      for (size_t i = 0; i < results_.size(); ++i)
        if (RanOutOfMemory(results_[i])) again.push_back(i);
      if (!again.empty()) RunQueue(std::move(again), 1);
    }
    return std::move(results_);
  }

 private:
  void RunQueue(std::vector<size_t> queue, int64_t jobs) {
    {
      const base::MutexLock lock(&mutex_);
      queue_ = std::move(queue);
      next_ = 0;
    }
    std::vector<std::jthread> workers;
    for (int64_t i = 0; i < jobs; ++i)
      workers.emplace_back([this, jobs] { Serve(jobs); });
  }

  void Serve(int64_t jobs) {
    const AuditOne audit_one = new_worker_(jobs);
    while (const auto index = Next()) {
      auto audit = audit_one(tasks_[*index]);
      AuditResult result;
      if (audit)
        result.audit = std::move(*audit);
      else
        result.error = audit.error().message();
      results_[*index] = std::move(result);
    }
  }

  std::optional<size_t> Next() {
    const base::MutexLock lock(&mutex_);
    if (stop_.stop_requested() || next_ == queue_.size()) return std::nullopt;
    const size_t index = queue_[next_];
    progress_(next_, queue_.size(), tasks_[index]);
    ++next_;
    return index;
  }

  const std::vector<AuditTask>& tasks_;
  AuditPlan plan_;
  const std::function<AuditOne(int64_t)>& new_worker_;
  const AuditProgress& progress_;
  std::stop_token stop_;
  std::vector<AuditResult> results_;
  base::Mutex mutex_;
  std::vector<size_t> queue_ KB_GUARDED_BY(mutex_);  // indices of tasks_
  size_t next_ KB_GUARDED_BY(mutex_) = 0;            // of queue_
};

// The processors are shared out to the oracles that compute at once; nothing is
// timed, so that none is set apart.
lane::LaneOptions ForOneOf(int64_t jobs, lane::LaneOptions options) {
  options.processors = {};
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  options.oracle_env["OMP_NUM_THREADS"] =
      fmt::format("{}", std::max<int64_t>(1, cores / jobs));
  return options;
}

}  // namespace

std::vector<AuditResult> AuditWith(
    const std::vector<AuditTask>& tasks, const AuditPlan& plan,
    const std::function<AuditOne(int64_t)>& new_worker,
    const AuditProgress& progress, const std::stop_token& stop) {
  return Auditor(tasks, plan, new_worker, progress, stop).Run();
}

std::vector<AuditResult> AuditAll(const std::vector<AuditTask>& tasks,
                                  const AuditPlan& plan,
                                  const lane::LaneOptions& lane,
                                  const AuditProgress& progress,
                                  const std::stop_token& stop) {
  const auto new_worker = [&](int64_t jobs) -> AuditOne {
    const auto open = std::make_shared<OpenLane>(ForOneOf(jobs, lane), stop);
    return [open, &plan](const AuditTask& task) -> Result<record::Audit> {
      const auto quiet = [](const std::string&) {};
      KB_TRY(open->Start(quiet));
      open->Forget();
      KB_TRY(open->Open(task.problem, task.precision, task.policy,
                        std::chrono::seconds(plan.limit), quiet));
      return open->lane().Audit(task.policy, plan.mutants);
    };
  };
  return AuditWith(tasks, plan, new_worker, progress, stop);
}

}  // namespace kb::eval
