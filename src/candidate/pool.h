#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>

#include "device/device.h"

namespace kb::candidate {

// Hands out the oracle's pool from its start to its end, and after that memory
// of this process. PyTorch's caching allocator asks for large segments and
// hardly ever gives one back, so nothing of the pool is used again.
class Pool {
 public:
  Pool(device::Device* device, std::span<std::byte> memory)
      : device_(device), memory_(memory) {}

  // Null when the device has no memory left.
  std::byte* Allocate(size_t bytes);
  void Free(std::byte* memory) { others_.erase(memory); }

 private:
  device::Device* device_;
  std::span<std::byte> memory_;
  size_t used_ = 0;
  std::map<std::byte*, std::unique_ptr<device::SharedMemory>> others_;
};

}  // namespace kb::candidate
