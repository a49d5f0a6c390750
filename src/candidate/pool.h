#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>

#include "device/device.h"
#include "extents.h"

namespace kb::candidate {

// Hands out the oracle's pool, from a place to its end and again from its
// start, and memory of this process where nothing fits. For PyTorch's caching
// allocator, which asks for few and large segments. What is asked for behind a
// shut gate must not wait for the device, as an allocation of the driver's may.
class Pool {
 public:
  Pool(device::Device* device, std::span<std::byte> memory)
      : device_(device), memory_(memory), used_(memory.size()) {}

  // Null when the device has no memory left.
  std::byte* Allocate(size_t bytes);
  // Memory of this process is kept for the next one who asks for as much.
  void Free(std::byte* memory);
  // Gives it back to the device, unless it is in use.
  void DropSpare();
  // What is allocated from now on begins somewhere else, but as much as was in
  // use at a time till now still fits, beside what is in use now; or at the
  // start again, where a library's workspace leaves no such gap.
  void Move();

 private:
  using Others = std::map<std::byte*, std::unique_ptr<device::SharedMemory>>;

  std::byte* AllocateOther(size_t bytes);

  device::Device* device_;
  std::span<std::byte> memory_;
  Extents used_;
  size_t next_ = 0;    // where the search for a gap begins
  Others others_;      // in use
  Others spare_;       // given back
  size_t in_use_ = 0;  // bytes, of the pool and of others
  size_t most_ = 0;    // that were in use at a time
};

}  // namespace kb::candidate
