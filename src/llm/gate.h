#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

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

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;  // with mutex_
  Clock::time_point open_at_;            // guarded by mutex_
};

}  // namespace kb::llm
