#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kb::wire {

// How one chain ended, as the jail says. Never trusted further than this number
// and a text.
enum class CallStatus : uint32_t {
  kOk = 0,
  kFailed = 1,  // exception, error code, device fault
  kOutOfMemory = 2,
  kStructure = 3,  // wrong number, dtype or shape of outputs
};

// What the calls of a chain are.
enum class Work : uint32_t {
  kForward = 0,  // of the candidate
  kNothing = 1,  // the least work that the device knows; ours
  kCopy = 2,     // the copy of one call's outputs; ours
  kTell = 3,     // none: the process sends kObserved
};

inline constexpr size_t kMaxCalls = 64;     // of a chain
inline constexpr size_t kMaxPlaces = 2048;  // outputs of all calls of a chain

// A chain of calls as the jail is told of it, before the inputs are there. Call
// i reads input slot first + i and its outputs belong into that output slot.
struct Chain {
  uint32_t calls = 1;
  Work work = Work::kForward;
  // Everything is enqueued first, behind a wait for `go` in the stream.
  uint32_t gated = 0;
  // The calls are captured in a CUDA graph before, and it is enqueued instead.
  uint32_t captured = 0;
  // Each call's outputs are copied into their slots behind it, whatever memory
  // they were made in; what is written there directly is copied once all the
  // same.
  uint32_t copy = 0;
  // Nobody reads the outputs, so that they may lie anywhere and are not copied.
  uint32_t unread = 0;
  uint32_t first = 0;
  // What forward allocates shall lie elsewhere than in the chain before: where
  // memory lies makes some calls faster or slower for as long as it lies there.
  uint32_t move = 0;
  // The state of random generators when a call begins, the same as the
  // reference's; 0: nothing is random. Says nothing about the inputs.
  std::array<uint64_t, kMaxCalls> generator_seeds{};
};

// Where an output is: an offset into the pool, or its slot.
inline constexpr uint64_t kInSlot = ~uint64_t{0};

// The pages that oracle and jail both map: the hand-over of a chain by polling,
// because a blocking socket costs 100-300 us of jitter (docs/timing.md). On a
// device with streams `go` is read and `done` is written by the device itself.
//
// Each side writes its own half and polls the other's. The oracle never reads
// back what it wrote: the jail can write all of it.
//
// One chain, numbered n = 1, 2, ...:
//   oracle  chain, then arm = n
//   jail    sees arm; gated: enqueues wait, calls and mark; armed = n
//   oracle  writes the inputs, starts its clock, go = n
//   jail    ungated: sees go, calls, enqueues the mark (done = n)
//   oracle  sees done, stops its clock
// A chain that fails ends with failed = n in the place of what it has not done.
struct Mailbox {
  struct alignas(64) FromOracle {
    std::atomic<uint32_t> arm;
    Chain chain;
    alignas(64) std::atomic<uint32_t> go;
  } oracle;
  struct alignas(64) FromJail {
    std::atomic<uint32_t> armed;
    alignas(64) std::atomic<uint32_t> done;
    alignas(64) std::atomic<uint32_t> failed;
    uint32_t status;  // CallStatus
    uint32_t text_size;
    std::array<char, 8192> text;
    // Of all outputs of call 0, then of call 1, ...; written before `armed`
    // (gated) or `done`.
    std::array<uint64_t, kMaxPlaces> places;
  } jail;
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);
// Whole pages, which is what a device can register.
inline constexpr size_t kMailboxBytes = (sizeof(Mailbox) + 4095) / 4096 * 4096;

}  // namespace kb::wire
