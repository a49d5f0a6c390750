#include "wire/poll.h"

#include <time.h>

namespace kb::wire {

int64_t NowNanos() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

namespace {

// Looks without a sleep between them.
uint64_t SpinsFor(Poll style) {
  switch (style) {
    case Poll::kSpin:
      return UINT64_MAX;
    case Poll::kWatch:
      return 20 << 20;  // about 1 s
    case Poll::kStay:
      return 2 << 20;  // about 0.1 s
    case Poll::kDoze:
    case Poll::kRest:
      break;
  }
  return 1024;  // about 50 us
}

}  // namespace

bool Pause(Poll style, uint64_t looks) {
  if (looks <= SpinsFor(style)) {
    __builtin_ia32_pause();
    return false;
  }
  const bool soon = style == Poll::kWatch || style == Poll::kDoze;
  const timespec nap{0, soon ? 20'000 : 2'000'000};
  nanosleep(&nap, nullptr);
  return true;
}

}  // namespace kb::wire
