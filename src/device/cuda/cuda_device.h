#pragma once

#include <memory>

#include "base/result.h"
#include "cuda/primary_context.h"
#include "device/device.h"

namespace kb::device::cuda {

base::Result<std::unique_ptr<Device>> OpenCudaDevice(int index);

// The context of a device that OpenCudaDevice opened.
ContextPtr ContextOf(const Device& device);

}  // namespace kb::device::cuda
