#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/mutex.h"
#include "run/asking.h"

namespace kb::run {

// The samples of a run that are not done. Each is waiting for its next
// question, or somewhere else: being asked, or being judged. Thread-safe.
class Backlog {
 public:
  // So many may be begun and not done at a time.
  explicit Backlog(size_t most_begun) : most_begun_(most_begun) {}

  // One that waits for its first question.
  void Add(Wanted wanted);
  // One that is somewhere else from the start.
  void AddElsewhere();
  // One that was somewhere else waits for its next question: before those that
  // are not begun, because what was said may still be cached.
  void Return(Wanted wanted);
  // One that was somewhere else is done.
  void Done();

  // The next to be asked; waits for one. None: all are done, or `stop`.
  std::optional<Wanted> Take(const std::stop_token& stop);
  // Puts one back that was not asked.
  void PutBack(Wanted wanted);
  // Until none is somewhere else, or `stop`.
  void WaitForElsewhere(const std::stop_token& stop);
  // Those begun that wait; they count as being somewhere else from now on.
  std::vector<Wanted> TakeBegun();
  // All that are not done.
  size_t Size();

 private:
  base::Mutex mutex_;
  base::Condition changed_;
  const size_t most_begun_;
  size_t elsewhere_ KB_GUARDED_BY(mutex_) = 0;
  std::deque<Wanted> fresh_ KB_GUARDED_BY(mutex_);
  std::deque<Wanted> begun_ KB_GUARDED_BY(mutex_);
};

}  // namespace kb::run
