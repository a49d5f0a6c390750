// Fires clang-diagnostic-thread-safety-analysis: reading variable 'count_'
// requires
#include "../../../src/base/include/base/mutex.h"

class Counter {
 public:
  void Add() {
    const kb::base::MutexLock lock(&mutex_);
    ++count_;
  }
  int count() const { return count_; }

 private:
  kb::base::Mutex mutex_;
  int count_ KB_GUARDED_BY(mutex_) = 0;
};
