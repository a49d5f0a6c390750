#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "cuda/primary_context.h"
#include "device/device.h"
#include "os/fd.h"

namespace kb::device::cuda {

// New device memory that can be exported, mapped for reading and writing.
base::Result<std::unique_ptr<SharedMemory>> AllocateVmm(
    const ContextPtr& context, size_t bytes);

// Maps memory that another process exported.
base::Result<std::unique_ptr<SharedMemory>> ImportVmm(const ContextPtr& context,
                                                      os::Fd fd, size_t bytes);

// Plain device memory of ours only.
class DeviceBuffer {
 public:
  static base::Result<DeviceBuffer> Allocate(ContextPtr context, size_t bytes);
  DeviceBuffer() = default;  // holds nothing
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();
  CUdeviceptr address() const { return address_; }
  size_t bytes() const { return bytes_; }

 private:
  DeviceBuffer(ContextPtr context, CUdeviceptr address, size_t bytes);
  ContextPtr context_;
  CUdeviceptr address_ = 0;
  size_t bytes_ = 0;
};

}  // namespace kb::device::cuda
