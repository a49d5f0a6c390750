#include "compile/slots.h"

#include <algorithm>

namespace kb::compile {

int BuildSlots(size_t processors, std::optional<uint64_t> free_bytes) {
  constexpr size_t kProcessors = 3;
  constexpr uint64_t kBytes = uint64_t{2} << 30;
  // Even of small machines: a build also waits.
  constexpr size_t kLeast = 2;
  const size_t by_processors =
      std::max(kLeast, (processors + kProcessors - 1) / kProcessors);
  if (!free_bytes) return static_cast<int>(by_processors);
  const uint64_t by_memory = std::max<uint64_t>(1, *free_bytes / kBytes);
  return static_cast<int>(std::min<uint64_t>(by_processors, by_memory));
}

}  // namespace kb::compile
