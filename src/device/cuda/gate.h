#pragma once

#include <memory>

#include "cuda/primary_context.h"
#include "device/device.h"

namespace kb::device::cuda {

// Device::NewGate.
base::Result<std::unique_ptr<Gate>> RegisterGate(const ContextPtr& context,
                                                 void* memory, size_t bytes);

// Device::Glance: a stream and a page of pinned memory of our own.
class Peephole {
 public:
  static base::Result<Peephole> Create(const ContextPtr& context);
  Peephole(Peephole&& other) noexcept;
  Peephole(const Peephole&) = delete;
  Peephole& operator=(const Peephole&) = delete;
  Peephole& operator=(Peephole&&) = delete;
  ~Peephole();

  static constexpr size_t kBytes = size_t{64} << 10;
  base::Result<void> Read(std::span<const Device::Look> looks);

 private:
  Peephole(ContextPtr context, CUstream stream, void* page)
      : context_(std::move(context)), stream_(stream), page_(page) {}

  ContextPtr context_;  // null after a move
  CUstream stream_;
  void* page_;
};

}  // namespace kb::device::cuda
