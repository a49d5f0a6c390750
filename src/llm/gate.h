#pragma once

#include <chrono>
#include <stop_token>

#include "base/mutex.h"

namespace kb::llm {

// Where the threads that ask one provider wait while it limits us.
class Gate {
 public:
  using Clock = std::chrono::steady_clock;

  // Nobody passes before `until`.
  void Close(Clock::time_point until);
  // How long it is still closed; 0 when open.
  std::chrono::milliseconds Left() const;
  // Waits until it is open; false when `stop` was requested.
  bool Pass(const std::stop_token& stop);
  // Waits for `time`, open or not; false when `stop` was requested.
  bool Sleep(std::chrono::milliseconds time, const std::stop_token& stop);

 private:
  bool WaitUntil(Clock::time_point until, const std::stop_token& stop);

  mutable base::Mutex mutex_;
  base::Condition changed_;
  Clock::time_point open_at_ KB_GUARDED_BY(mutex_);
};

}  // namespace kb::llm
