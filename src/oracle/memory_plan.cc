#include "memory_plan.h"

#include <algorithm>
#include <cmath>

#include "wire/mailbox.h"

namespace kb::oracle {
namespace {

constexpr uint64_t kLeastPool = uint64_t{96} << 20;
constexpr uint64_t kContext = uint64_t{1} << 30;

// An allocator does not always reuse a piece for one of another size, so that
// of several calls what is no output counts twice.
uint64_t LeastPool(const Needs& needs) {
  const uint64_t between =
      needs.forward > needs.outputs ? needs.forward - needs.outputs : 0;
  return kLeastPool + needs.slots * needs.outputs +
         (needs.slots > 1 ? 2 : 1) * between;
}

}  // namespace

size_t SlotsFor(const CallBytes& call, uint64_t free_bytes, bool cuda) {
  constexpr size_t kMost = wire::kMaxCalls;
  const double bytes_a_micro = cuda ? 3e6 : 1e4;
  const double chain_micros = cuda ? 1500 : 5000;
  const uint64_t moved = std::max<uint64_t>(call.inputs + call.outputs, 1);
  const auto wanted = static_cast<size_t>(std::clamp(
      std::ceil(chain_micros * bytes_a_micro / static_cast<double>(moved)) + 1,
      2.0, double{kMost}));
  const size_t fit = free_bytes / 4 / (moved + call.inputs);
  return std::clamp(wanted, size_t{1}, std::max<size_t>(fit, 1));
}

uint64_t PoolBytes(const Needs& needs, uint64_t free_bytes, uint64_t pools) {
  const uint64_t wanted =
      kLeastPool + 2 * needs.slots * needs.outputs + 2 * needs.forward;
  const uint64_t contexts =
      std::min((pools - 1) * kContext, free_bytes);  // of processes to come
  return std::max(std::min(wanted, free_bytes / 6),
                  std::min(LeastPool(needs),
                           (free_bytes - contexts) * 2 / (2 * pools + 1)));
}

uint64_t PoolBytesOnCpu(const Needs& needs, uint64_t free_bytes) {
  return std::min(4 * needs.slots * needs.outputs, free_bytes / 6);
}

bool FitsInDouble(const Needs& needs, uint64_t free_bytes) {
  const uint64_t reference = 2 * (needs.weights + needs.inputs + needs.forward);
  const uint64_t candidate = needs.inputs + needs.outputs;
  return reference + candidate + 2 * LeastPool(needs) + 2 * kContext <=
         free_bytes;
}

}  // namespace kb::oracle
