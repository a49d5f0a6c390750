#include "memory_plan.h"

#include <algorithm>

namespace kb::oracle {
namespace {

constexpr uint64_t kLeastPool = uint64_t{96} << 20;

// An allocator does not always reuse a piece for one of another size, so that
// what is no output counts twice.
uint64_t LeastPool(const Needs& needs) {
  const uint64_t between =
      needs.forward > needs.outputs ? needs.forward - needs.outputs : 0;
  return kLeastPool + needs.slots * needs.outputs + 2 * between;
}

}  // namespace

uint64_t PoolBytes(const Needs& needs, uint64_t free_bytes, uint64_t pools) {
  const uint64_t wanted =
      kLeastPool + 2 * needs.slots * needs.outputs + 2 * needs.forward;
  return std::max(std::min(wanted, free_bytes / 6),
                  std::min(LeastPool(needs), free_bytes / (pools + 1)));
}

bool FitsInDouble(const Needs& needs, uint64_t free_bytes) {
  constexpr uint64_t kContexts = uint64_t{2} << 30;
  const uint64_t reference = 2 * (needs.weights + needs.inputs + needs.forward);
  const uint64_t candidate = needs.inputs + needs.outputs;
  return reference + candidate + 2 * LeastPool(needs) + kContexts <= free_bytes;
}

}  // namespace kb::oracle
