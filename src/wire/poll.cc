#include "wire/poll.h"

#include <time.h>

namespace kb::wire {

int64_t NowNanos() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

bool Pause(Poll style, uint64_t looks) {
  constexpr uint64_t kShort = 1024;    // about 50 us
  constexpr uint64_t kLong = 2 << 20;  // about 0.1 s
  const bool spin =
      style == Poll::kSpin || looks <= (style == Poll::kStay ? kLong : kShort);
  if (spin) {
    __builtin_ia32_pause();
    return false;
  }
  const timespec nap{0, style == Poll::kDoze ? 20'000 : 2'000'000};
  nanosleep(&nap, nullptr);
  return true;
}

}  // namespace kb::wire
