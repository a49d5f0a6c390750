#pragma once

#include <memory>

#include "base/result.h"
#include "cuda/driver_api.h"

namespace kb::device::cuda {

// A reference to the primary context of a device, the one that PyTorch and the
// CUDA runtime use as well. Everything that belongs to the context holds one,
// so that it may outlive the Device.
class PrimaryContext {
 public:
  // Also makes it current on the calling thread.
  static base::Result<std::shared_ptr<const PrimaryContext>> Retain(int index);
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext();

  const Driver& driver() const { return *driver_; }
  CUdevice device() const { return device_; }
  base::Result<int> Attribute(int attribute) const;
  base::Result<std::string> Arch() const;  // "sm_90"

 private:
  PrimaryContext(const Driver* driver, CUdevice device)
      : driver_(driver), device_(device) {}
  const Driver* driver_;
  CUdevice device_;
};
using ContextPtr = std::shared_ptr<const PrimaryContext>;

}  // namespace kb::device::cuda
