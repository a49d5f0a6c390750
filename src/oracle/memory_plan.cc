#include "memory_plan.h"

#include <algorithm>
#include <cmath>

#include "wire/mailbox.h"

namespace kb::oracle {
namespace {

constexpr uint64_t kLeastPool = uint64_t{96} << 20;
constexpr uint64_t kContext = uint64_t{1} << 30;

// What is no output of one call.
uint64_t BetweenBytes(const Needs& needs) {
  return needs.forward > needs.outputs ? needs.forward - needs.outputs : 0;
}

uint64_t LeastPool(const Needs& needs) {
  return kLeastPool + needs.slots * needs.outputs + BetweenBytes(needs);
}

// An allocator does not always reuse a piece for one of another size, so that
// of several calls what is no output counts twice.
uint64_t AmplePool(const Needs& needs) {
  return LeastPool(needs) + (needs.slots > 1 ? BetweenBytes(needs) : 0);
}

uint64_t Without(uint64_t bytes, uint64_t taken) {
  return bytes - std::min(bytes, taken);
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
  const uint64_t contexts = (pools - 1) * kContext;  // of processes to come
  const auto share = [&](uint64_t taken) {
    return Without(free_bytes, taken) * 2 / (2 * pools + 1);
  };
  return std::max(
      {std::min(wanted, free_bytes / 6),
       std::min(LeastPool(needs), share(contexts)),
       std::min(AmplePool(needs), share(contexts + needs.forward))});
}

uint64_t PoolBytesOnCpu(const Needs& needs, uint64_t free_bytes) {
  return std::min(4 * needs.slots * needs.outputs, free_bytes / 6);
}

bool FitsInDouble(const Needs& needs, uint64_t free_bytes) {
  const uint64_t reference = 2 * (needs.weights + needs.inputs + needs.forward);
  const uint64_t candidate = needs.inputs + needs.outputs;
  return reference + candidate + 2 * AmplePool(needs) + 2 * kContext <=
         free_bytes;
}

}  // namespace kb::oracle
