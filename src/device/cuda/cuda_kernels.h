#pragma once

#include <memory>

#include "base/result.h"
#include "device/kernels.h"

namespace kb::device::cuda {

// `device`: one that OpenCudaDevice opened.
base::Result<std::unique_ptr<Kernels>> CreateCudaKernels(Device* device);

}  // namespace kb::device::cuda
