#include "gate.h"

#include <algorithm>

namespace kb::llm {

using std::chrono::milliseconds;

void Gate::Close(Clock::time_point until) {
  const base::MutexLock lock(&mutex_);
  open_at_ = std::max(open_at_, until);
}

milliseconds Gate::Left() const {
  const base::MutexLock lock(&mutex_);
  const auto left = std::chrono::ceil<milliseconds>(open_at_ - Clock::now());
  return std::max(left, milliseconds(0));
}

bool Gate::Pass(const std::stop_token& stop) {
  // It may be closed again while we wait.
  for (milliseconds left = Left(); left.count() > 0; left = Left())
    if (!WaitUntil(Clock::now() + left, stop)) return false;
  return !stop.stop_requested();
}

bool Gate::Sleep(milliseconds time, const std::stop_token& stop) {
  return WaitUntil(Clock::now() + time, stop);
}

bool Gate::WaitUntil(Clock::time_point until, const std::stop_token& stop) {
  const base::MutexLock lock(&mutex_);
  changed_.Sleep(&mutex_, stop, until);
  return !stop.stop_requested();
}

}  // namespace kb::llm
