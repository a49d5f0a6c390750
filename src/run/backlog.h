#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>

#include "base/mutex.h"
#include "run/asking.h"

namespace kb::run {

// The answers of a run that are not done. Each waits for its question, or is
// somewhere else: being asked, or being judged. Thread-safe.
class Backlog {
 public:
  // Of samples that are not begun so many may be somewhere else at a time.
  explicit Backlog(size_t most_begun) : most_begun_(most_begun) {}

  // One that waits: of a begun sample before those of others, because what was
  // said may still be cached.
  void Add(Wanted wanted);
  // One that is somewhere else from the start.
  void AddElsewhere();
  // One that was somewhere else is done.
  void Done();

  // The next to be asked; waits for one. None: all are done, or `stop`.
  std::optional<Wanted> Take(const std::stop_token& stop);
  // Puts one back that was not asked.
  void PutBack(Wanted wanted);
  // Until none is somewhere else, or `stop`.
  void WaitForElsewhere(const std::stop_token& stop);
  // Those that wait are not asked any more.
  void Drop();
  // All that are not done.
  size_t Size();

 private:
  std::deque<Wanted>& QueueOf(const Wanted& wanted) KB_REQUIRES(mutex_) {
    return wanted.begun ? begun_ : fresh_;
  }

  base::Mutex mutex_;
  base::Condition changed_;
  const size_t most_begun_;
  size_t elsewhere_ KB_GUARDED_BY(mutex_) = 0;
  std::deque<Wanted> fresh_ KB_GUARDED_BY(mutex_);
  std::deque<Wanted> begun_ KB_GUARDED_BY(mutex_);
};

}  // namespace kb::run
