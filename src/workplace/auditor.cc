#include "workplace/auditor.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <thread>

#include "os/status_line.h"
#include "workplace/workplace.h"

namespace kb::workplace {
namespace {

using base::Result;

// PyTorch's words and the driver's.
bool SaysNoMemory(const std::string& text) {
  return text.find("out of memory") != std::string::npos ||
         text.find("OUT_OF_MEMORY") != std::string::npos ||
         text.find("OutOfMemoryError") != std::string::npos;
}

bool RanOutOfMemory(const AuditLine& line) {
  if (!line.audit) return SaysNoMemory(line.error);
  return std::ranges::any_of(
      line.audit->mutants, [](const record::MutantResult& mutant) {
        return mutant.outcome == record::MutantResult::Outcome::kFailed &&
               SaysNoMemory(mutant.detail);
      });
}

class Auditor {
 public:
  Auditor(const Workplace& workplace, const AuditPlan& plan,
          const std::vector<problems::Entry>& entries, std::stop_token stop)
      : workplace_(workplace), plan_(plan), stop_(std::move(stop)) {
    lines_.resize(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) lines_[i].entry = entries[i];
  }

  std::vector<AuditLine> Run() {
    queue_.resize(lines_.size());
    std::iota(queue_.begin(), queue_.end(), size_t{0});
    RunQueue(plan_.jobs);
    if (plan_.jobs > 1) {
      queue_.clear();
      for (size_t i = 0; i < lines_.size(); ++i)
        if (RanOutOfMemory(lines_[i])) queue_.push_back(i);
      if (!queue_.empty()) RunQueue(1);
    }
    status_.Show("");
    return std::move(lines_);
  }

 private:
  void RunQueue(int64_t jobs) {
    next_ = 0;
    std::vector<std::jthread> lanes;
    for (int64_t i = 0; i < jobs; ++i)
      lanes.emplace_back([this, jobs] { Serve(jobs); });
  }

  void Serve(int64_t jobs) {
    std::unique_ptr<lane::Lane> lane;
    while (AuditLine* line = Next()) {
      auto audit = AuditOne(line->entry, jobs, &lane);
      line->audit.reset();
      line->error.clear();
      if (audit)
        line->audit = std::move(*audit);
      else
        line->error = audit.error().message();
      if (lane && !lane->alive()) lane.reset();
    }
  }

  AuditLine* Next() {
    const std::lock_guard lock(mutex_);
    if (stop_.stop_requested() || next_ == queue_.size()) return nullptr;
    AuditLine& line = lines_[queue_[next_++]];
    status_.Show(fmt::format("[{}/{}] {} {}", next_, queue_.size(),
                             line.entry.id, line.entry.name));
    return &line;
  }

  Result<record::Audit> AuditOne(const problems::Entry& entry, int64_t jobs,
                                 std::unique_ptr<lane::Lane>* lane) {
    KB_ASSIGN(
        const record::Problem problem,
        workplace_.pack.Load(entry.id, workplace_.size, workplace_.fit_bytes));
    if (!*lane) {
      lane::LaneOptions options = workplace_.session.lane;
      const auto cores = std::max(1U, std::thread::hardware_concurrency());
      options.oracle_env["OMP_NUM_THREADS"] =
          fmt::format("{}", std::max<int64_t>(1, cores / jobs));
      KB_ASSIGN(*lane, lane::Lane::Start(options, stop_));
      (*lane)->SetAnswerLimit(std::chrono::seconds(plan_.limit));
    }
    const record::Precision precision = problem.Supports(workplace_.precision)
                                            ? workplace_.precision
                                            : problem.precisions.front();
    const record::Policy policy =
        problem.Adjusted(workplace_.policy, precision);
    KB_TRY((*lane)->Open(problem, precision, policy));
    return (*lane)->Audit(policy, plan_.mutants);
  }

  const Workplace& workplace_;
  AuditPlan plan_;
  std::stop_token stop_;
  os::StatusLine status_;
  std::mutex mutex_;
  std::vector<AuditLine> lines_;
  std::vector<size_t> queue_;  // indices of lines_
  size_t next_ = 0;            // of queue_
};

}  // namespace

std::vector<AuditLine> AuditAll(const Workplace& workplace,
                                const AuditPlan& plan,
                                const std::vector<problems::Entry>& entries,
                                const std::stop_token& stop) {
  return Auditor(workplace, plan, entries, stop).Run();
}

}  // namespace kb::workplace
