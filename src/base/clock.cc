#include "base/clock.h"

#include <fmt/chrono.h>

#include <ctime>

namespace kb::base {

std::string UtcNow() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace kb::base
