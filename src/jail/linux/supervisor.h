#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "jail/jail.h"
#include "linux/cgroup.h"
#include "linux/jail_plan.h"
#include "linux/jail_report.h"
#include "linux/output_buffer.h"
#include "os/deadline.h"
#include "os/fd.h"

namespace kb::jail {

// The parent's side of one jail: starts it, reads what it prints, enforces the
// wall limit and says how it ended. Pinned, because a thread runs Watch().
class Supervisor {
 public:
  // Returns when the foreign program is about to be executed.
  static base::Result<std::unique_ptr<Supervisor>> Start(const JailSpec& spec);
  // Kills what is left. Not while Watch() runs.
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Until nothing is left inside. Once.
  JailExit Watch();

  // From any thread.
  void Kill();
  // The same; JailExit::unstoppable says why.
  void KillUnstoppable();
  void LimitLife(std::chrono::milliseconds wall);

  int pidfd() const { return init_.get(); }
  // Of the child that builds the jail and reaps what dies inside.
  pid_t init_pid() const { return init_pid_; }

 private:
  Supervisor(JailPlan plan, ForkServer* server);

  base::Result<void> Launch();
  base::Result<void> Clone(const struct JailChildEnds& ends);
  base::Result<void> MapUser() const;
  base::Result<void> ReleaseChild();
  base::Result<void> AwaitExec();

  bool InitIsGone() const;
  void KillLeftBehind() const;
  void WatchOnce(int timeout_ms);
  void ReadOutput();
  void ReadReports();
  void Ask();
  void DoAsAsked();
  std::chrono::milliseconds Grace() const;
  void BeginEnd();
  void KillInit() const;
  void ReapInit();
  void DrainOutput();
  JailExit Conclude();
  void ConcludeFromReport(JailExit& exit) const;

  static constexpr std::chrono::milliseconds kNotAsked{-1};

  JailPlan plan_;
  ForkServer* server_;  // null: we clone
  pid_t init_pid_ = -1;
  os::Fd init_;  // pidfd
  os::Fd output_;
  os::Fd reports_;
  os::Fd lifeline_;
  os::Fd asked_;  // eventfd: look at the two below, which any thread sets
  std::atomic<bool> kill_asked_ = false;
  std::atomic<bool> unstoppable_ = false;
  std::atomic<std::chrono::milliseconds> life_asked_ = kNotAsked;
  Cgroup cgroup_;

  OutputBuffer kept_;
  os::Deadline deadline_;
  bool ending_ = false;  // deadline_ is that of a harder way
  bool timed_out_ = false;
  bool kill_requested_ = false;
  std::optional<JailReport> failed_;
  std::optional<JailReport> ended_;
  int init_status_ = 0;
  bool reaped_ = true;
  pid_t payload_ = -1;
};

}  // namespace kb::jail
