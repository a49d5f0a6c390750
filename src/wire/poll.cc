#include "wire/poll.h"

#include <time.h>

namespace kb::wire {

int64_t NowNanos() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void Pause(Poll style, uint64_t looks) {
  if (style == Poll::kDoze && looks > 1024) {
    const timespec nap{0, 20'000};
    nanosleep(&nap, nullptr);
    return;
  }
  __builtin_ia32_pause();
}

}  // namespace kb::wire
