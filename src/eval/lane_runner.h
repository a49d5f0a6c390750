#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "candidate_runner.h"
#include "open_lane.h"
#include "os/files.h"

namespace kb::eval {

// What a task's processes need in their environment, besides what its build
// does: how Triton runs, and in KB_AHEAD what hosts/fork_server.py makes ahead,
// once for all that need it.
std::map<std::string, std::string> EnvironmentOf(const Task& task, bool cpu);

// Runs candidates in jails on a lane.
class LaneRunner : public CandidateRunner {
 public:
  LaneRunner(const lane::LaneOptions& options, std::stop_token stop);

  Opened Open(const Task& task,
              const std::function<void(const std::string&)>& on_step) override;
  void StartAhead(const Task& task) override;
  void StartAhead() override;
  base::Result<void> Launch(const Built& built, int64_t count) override;
  base::Result<int64_t> LaunchObserved(const Built& built) override;
  base::Result<void> Prepare(const Built& built, const record::Policy& policy,
                             int64_t process) override;
  base::Result<lane::TurnResult> Judge(
      const Built& built, const record::Policy& policy,
      const record::Turn& turn,
      const std::function<void(int64_t done, int64_t of)>& progress) override;
  void End(size_t index) override;
  void StartOver(bool fresh) override;

 private:
  using Jails = std::vector<std::unique_ptr<lane::WaitingJail>>;

  base::Result<lane::JailRequest> RequestFor(const Task& task,
                                             const compile::Artifact& artifact);
  base::Result<void> ShareCompiled(lane::JailRequest* request);

  OpenLane lane_;
  std::map<size_t, Jails> jails_;  // by task; they end before their lane
  std::optional<os::TempDir> compiled_;
};

}  // namespace kb::eval
