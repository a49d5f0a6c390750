#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "build_ahead.h"
#include "lane/lane.h"

namespace kb::eval {

// What came of making a task's problem the open one.
struct Opened {
  // None: no oracle could be started.
  std::optional<record::DeviceFacts> device;
  base::Result<void> problem = base::Fail("{}", "not opened");
  // The oracle lives, so another try would fail as well.
  bool reference_failed = false;
};

// Runs candidates on one device, one after the other. The session decides which
// and when, this does it; so the session is tested without a device.
class CandidateRunner {
 public:
  virtual ~CandidateRunner() = default;

  // Opens the task's problem unless it is open, on an oracle that is started
  // first where there is none. `on_step` is told what takes long.
  virtual Opened Open(
      const Task& task,
      const std::function<void(const std::string&)>& on_step) = 0;
  // Starts processes of the candidate and of its reference ahead of their
  // turns, so that `count` of each have been started for this task.
  virtual base::Result<void> Launch(const Built& built, int64_t count) = 0;
  // Starts one more process of the candidate, in which it is looked at what
  // runs. Its number.
  virtual base::Result<int64_t> LaunchObserved(const Built& built) = 0;
  // Begins what takes long and needs no candidate: the device, and a process of
  // the task's reference. What fails is told by Open.
  virtual void StartAhead(const Task& task) = 0;
  // The device alone, whose first task is not known yet.
  virtual void StartAhead() = 0;
  // Has a process of the task that was launched open the device. An Error
  // means that the oracle failed.
  virtual base::Result<void> Prepare(const Built& built,
                                     const record::Policy& policy,
                                     int64_t process) = 0;
  // Judges the candidate's process number turn.process, which was prepared, on
  // the open problem. An Error means that the oracle failed.
  virtual base::Result<lane::TurnResult> Judge(
      const Built& built, const record::Policy& policy,
      const record::Turn& turn,
      const std::function<void(int64_t done, int64_t of)>& progress) = 0;
  // Ends what was launched for the task and had no turn.
  virtual void End(size_t index) = 0;
  // Ends all that was launched and takes no problem for open, so that the next
  // Open begins anew. `fresh`: on a new oracle, because this one has failed.
  virtual void StartOver(bool fresh) = 0;
};

}  // namespace kb::eval
