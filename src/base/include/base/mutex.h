#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

// Which lock guards what, for clang's thread-safety analysis: `make lint` fails
// where a guarded member is used without its lock
// (https://clang.llvm.org/docs/ThreadSafetyAnalysis.html).
#if defined(__clang__)
#define KB_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define KB_THREAD_ANNOTATION(x)
#endif

// On a member: only with `mutex`.
#define KB_GUARDED_BY(mutex) KB_THREAD_ANNOTATION(guarded_by(mutex))
// On a function or lambda: its caller has `mutex`.
#define KB_REQUIRES(...) KB_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))

namespace kb::base {

class KB_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  // As the standard library calls them.
  void lock() KB_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void unlock() KB_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Has the mutex until its end.
class KB_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex* mutex)
      KB_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_->lock();
  }
  ~MutexLock() KB_THREAD_ANNOTATION(release_capability()) { mutex_->unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

// Lets go of a mutex while it waits.
class Condition {
 public:
  void NotifyOne() { changed_.notify_one(); }
  void NotifyAll() { changed_.notify_all(); }

  // Until `done`, a lambda with KB_REQUIRES(mutex), or `stop`. What `done` says
  // at the end.
  template <class Done>
  bool Wait(Mutex* mutex, const std::stop_token& stop, Done done)
      KB_REQUIRES(mutex) {
    return changed_.wait(*mutex, stop, done);
  }
  // Until that time, or `stop`.
  template <class Time>
  void Sleep(Mutex* mutex, const std::stop_token& stop, Time until)
      KB_REQUIRES(mutex) {
    changed_.wait_until(*mutex, stop, until, [] { return false; });
  }

 private:
  std::condition_variable_any changed_;
};

}  // namespace kb::base
