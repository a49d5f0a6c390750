#pragma once

#include <string>

#include "candidate_runner.h"
#include "eval/profile.h"

namespace kb::eval {

// A runner of which `profile` is told what it does, as `row`.
class ProfiledRunner : public CandidateRunner {
 public:
  ProfiledRunner(CandidateRunner* runner, Profile* profile, std::string row);

  Opened Open(const Task& task,
              const std::function<void(const std::string&)>& on_step) override;
  base::Result<void> Launch(const Built& built, int64_t count) override;
  base::Result<int64_t> LaunchObserved(const Built& built) override;
  void StartAhead(const Task& task) override;
  void StartAhead() override;
  base::Result<void> Prepare(const Built& built, const record::Policy& policy,
                             int64_t process) override;
  base::Result<lane::TurnResult> Judge(
      const Built& built, const record::Policy& policy,
      const record::Turn& turn,
      const std::function<void(int64_t done, int64_t of)>& progress) override;
  void End(size_t index) override { runner_->End(index); }
  void StartOver(bool fresh) override { runner_->StartOver(fresh); }

 private:
  Profile::Span Begin(Phase phase, const Task& task) const;

  CandidateRunner* runner_;
  Profile* profile_;
  const std::string row_;
};

}  // namespace kb::eval
