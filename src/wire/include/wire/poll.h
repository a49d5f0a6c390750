#pragma once

#include <atomic>
#include <cstdint>

namespace kb::wire {

// How a side waits for the other's word.
enum class Poll {
  kSpin,   // burns a core, sees the word within a microsecond
  kWatch,  // spins for about 1 s, then sleeps 20 us between looks: a call that
           // takes so long compiles, or is timed well enough so
  kDoze,   // sleeps 20 us between looks after a short spin: for devices that
           // need the cores themselves (cpu)
  kRest,  // sleeps 2 ms between looks after a short spin: whoever waits for its
          // turn must not take a core from the one that has it
  kStay,  // spins for about 0.1 s, so that the core is warm if the turn comes
          // soon, then as kRest
};

// Nanoseconds of CLOCK_MONOTONIC_RAW: the certified clock. Not adjusted by
// NTP, the same for all processes of the machine.
int64_t NowNanos();

inline double MicrosSince(int64_t nanos) {
  return static_cast<double>(NowNanos() - nanos) / 1000;
}

// Adds to a number of seconds what passes until its end.
class [[nodiscard]] Stopwatch {
 public:
  explicit Stopwatch(double* seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { *seconds_ += MicrosSince(start_) / 1e6; }

 private:
  double* seconds_;
  const int64_t start_ = NowNanos();
};

// Waits until *word == value. `idle` is called every few dozen microseconds; it
// returns false to give up. Returns whether the value was seen. `missed`, if
// there is one: NowNanos() of the last look at which it was not there,
// untouched when there was none.
template <typename Idle>
bool WaitFor(const std::atomic<uint32_t>& word, uint32_t value, Poll style,
             Idle&& idle, int64_t* missed = nullptr);

// One look's pause: a CPU hint or a short sleep, by how long we have waited.
// Returns whether it was a sleep.
bool Pause(Poll style, uint64_t looks);

template <typename Idle>
bool WaitFor(const std::atomic<uint32_t>& word, uint32_t value, Poll style,
             Idle&& idle, int64_t* missed) {
  constexpr uint64_t kLooksBetweenIdle = 1024;
  for (uint64_t looks = 0;; ++looks) {
    const int64_t now = missed != nullptr ? NowNanos() : 0;
    if (word.load(std::memory_order_acquire) == value) return true;
    if (missed != nullptr) *missed = now;
    const bool slept = Pause(style, looks);
    if ((slept || looks % kLooksBetweenIdle == 0) && !idle()) return false;
  }
}

}  // namespace kb::wire
