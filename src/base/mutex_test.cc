#include "base/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

namespace kb::base {
namespace {

class Counter {
 public:
  void Add() {
    {
      MutexLock lock(&mutex_);
      ++count_;
    }
    changed_.NotifyAll();
  }
  // Whether it came to `count` before `stop`.
  bool WaitFor(int count, const std::stop_token& stop) {
    MutexLock lock(&mutex_);
    return changed_.Wait(&mutex_, stop,
                         [&]() KB_REQUIRES(mutex_) { return count_ >= count; });
  }
  void SleepUntil(std::chrono::steady_clock::time_point until,
                  const std::stop_token& stop) {
    MutexLock lock(&mutex_);
    changed_.Sleep(&mutex_, stop, until);
    ++count_;  // the lock is ours again
  }

 private:
  Mutex mutex_;
  Condition changed_;
  int count_ KB_GUARDED_BY(mutex_) = 0;
};

TEST(Mutex, NothingIsLostBetweenThreads) {
  constexpr int kEach = 10'000;
  Counter counter;
  {
    std::vector<std::jthread> threads(4);
    for (auto& thread : threads)
      thread = std::jthread([&] {
        for (int i = 0; i < kEach; ++i) counter.Add();
      });
  }
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_TRUE(counter.WaitFor(4 * kEach, stopped.get_token()));
  EXPECT_FALSE(counter.WaitFor(4 * kEach + 1, stopped.get_token()));
}

TEST(Condition, WaitsUntilAnotherThreadHasDoneIt) {
  Counter counter;
  std::jthread other([&] {
    for (int i = 0; i < 3; ++i) counter.Add();
  });
  EXPECT_TRUE(counter.WaitFor(3, {}));
}

TEST(Condition, StopEndsAWaitThatNothingElseWould) {
  Counter counter;
  bool done = true;
  {
    std::jthread waiting(
        [&](const std::stop_token& stop) { done = counter.WaitFor(1, stop); });
    waiting.request_stop();
  }
  EXPECT_FALSE(done);
}

TEST(Condition, StopEndsASleepOfYears) {
  Counter counter;
  std::stop_source stopped;
  stopped.request_stop();
  const auto year = std::chrono::hours(24 * 365);
  counter.SleepUntil(std::chrono::steady_clock::now() + year,
                     stopped.get_token());
  EXPECT_TRUE(counter.WaitFor(1, stopped.get_token()));
}

}  // namespace
}  // namespace kb::base
