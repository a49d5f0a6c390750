#include "profiled_runner.h"

#include <utility>

namespace kb::eval {

using base::Result;

ProfiledRunner::ProfiledRunner(CandidateRunner* runner, Profile* profile,
                               std::string row)
    : runner_(runner), profile_(profile), row_(std::move(row)) {}

Profile::Span ProfiledRunner::Begin(Phase phase, const Task& task) const {
  return {profile_, row_, phase,
          phase == Phase::kPrepare
              ? task.problem.id
              : task.problem.id + " " + task.candidate.name};
}

Opened ProfiledRunner::Open(
    const Task& task, const std::function<void(const std::string&)>& on_step) {
  const Profile::Span span = Begin(Phase::kPrepare, task);
  return runner_->Open(task, on_step);
}

void ProfiledRunner::StartAhead(const Task& task) {
  const Profile::Span span = Begin(Phase::kPrepare, task);
  runner_->StartAhead(task);
}

void ProfiledRunner::StartAhead() {
  const Profile::Span span(profile_, row_, Phase::kPrepare, "");
  runner_->StartAhead();
}

Result<void> ProfiledRunner::Launch(const Built& built, int64_t count) {
  const Profile::Span span = Begin(Phase::kStart, built.task);
  return runner_->Launch(built, count);
}

Result<int64_t> ProfiledRunner::LaunchObserved(const Built& built) {
  const Profile::Span span = Begin(Phase::kStart, built.task);
  return runner_->LaunchObserved(built);
}

Result<void> ProfiledRunner::Prepare(const Built& built,
                                     const record::Policy& policy,
                                     int64_t process) {
  const Profile::Span span = Begin(Phase::kStart, built.task);
  return runner_->Prepare(built, policy, process);
}

Result<lane::TurnResult> ProfiledRunner::Judge(
    const Built& built, const record::Policy& policy, const record::Turn& turn,
    const std::function<void(int64_t, int64_t)>& progress) {
  Profile::Span span = Begin(Phase::kTrials, built.task);
  Result<lane::TurnResult> judged =
      runner_->Judge(built, policy, turn, progress);
  if (judged) span.Split(judged->judgement.spent);
  return judged;
}

}  // namespace kb::eval
