#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "lane/lane.h"

namespace kb::eval {

// A lane that is there when it is needed, with the problem that is needed. The
// one place where lanes are started and problems opened.
class OpenLane {
 public:
  OpenLane(lane::LaneOptions options, std::stop_token stop);

  // Starts a lane where none lives, without waiting for its oracle.
  base::Result<void> StartAhead();
  // Waits for it too. `on_step` is told what takes long.
  base::Result<void> Start(
      const std::function<void(const std::string&)>& on_step);
  // Makes the problem the open one, on the lane that was started. From now on
  // an answer of the oracle that takes longer than `limit` is an Error.
  base::Result<void> Open(
      const record::Problem& problem, record::Precision precision,
      const record::Policy& policy, std::chrono::seconds limit,
      const std::function<void(const std::string&)>& on_step);
  // Takes no problem for open; a lane that has died is replaced by Start.
  void Forget();
  // Ends the lane, so that Start has to start another.
  void End();

  // After StartAhead.
  lane::Lane& lane() { return *lane_; }
  const lane::LaneOptions& options() const { return options_; }

 private:
  lane::LaneOptions options_;
  std::stop_token stop_;
  std::unique_ptr<lane::Lane> lane_;
  bool greeted_ = false;  // its oracle is there
  std::string open_;      // what is; empty: nothing
};

// What two tasks share whose problem need not be opened twice.
std::string OpenKey(const record::Problem& problem, record::Precision precision,
                    const record::Policy& policy);

}  // namespace kb::eval
