#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "extents.h"

namespace kb::candidate {

// Lets the outputs that PyTorch makes on cpu lie where the oracle can read
// them, so that nothing is copied: its tensors come from posix_memalign, which
// libkb_candidate has instead of the C library where it is loaded first
// (apps/libkb_candidate/malloc.cc). While forward runs, whatever is as large as
// an output is taken from the oracle's pool, from its start on: the same calls
// find the same pages again. For all threads.
class TensorMemory {
 public:
  // `sizes`: of the outputs, in bytes.
  TensorMemory(std::span<std::byte> memory, std::vector<size_t> sizes);

  // Makes it the one of this process, for good: Python gives memory back until
  // it ends.
  static TensorMemory* Install(std::unique_ptr<TensorMemory> memory);
  // Null before.
  static TensorMemory* Installed() {
    return installed.load(std::memory_order_acquire);
  }

  // Memory is handed out from now on, or no longer.
  void Serve(bool on) { serves_.store(on, std::memory_order_relaxed); }

  // Null: elsewhere.
  void* Allocate(size_t alignment, size_t bytes);
  bool Holds(const void* memory) const;
  // Of what this handed out and still holds; 0 otherwise.
  size_t BytesAt(const void* memory);
  void Free(void* memory);

 private:
  size_t OffsetOf(const void* memory) const;

  inline static std::atomic<TensorMemory*> installed{nullptr};

  std::span<std::byte> memory_;
  std::vector<size_t> sizes_;
  std::atomic<bool> serves_{false};
  std::mutex mutex_;
  Extents used_;
};

}  // namespace kb::candidate
