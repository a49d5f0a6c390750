#pragma once

#include <signal.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace kb::os {

// Turns SIGINT, SIGTERM and, unless it is ignored (`nohup`), SIGHUP into a
// request to stop. Made before any thread, so that all of them have the signals
// blocked. After such a request SIGTERM and SIGHUP stay blocked, so that what
// was done can be said; SIGINT ends the program again.
class StopOnSignal {
 public:
  StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal();

  std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t signals_{};
  sigset_t before_{};
  std::stop_source source_;
  std::atomic<bool> ends_ = false;
  std::thread waiter_;
};

}  // namespace kb::os
