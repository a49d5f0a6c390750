#pragma once

#include "cuda/primary_context.h"
#include "device/device.h"

namespace kb::device::cuda {

// Clocks and temperature by NVML, opened at run time; all zero where it is
// missing or refuses.
class Nvml {
 public:
  explicit Nvml(const PrimaryContext& context);
  Health Read() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace kb::device::cuda
