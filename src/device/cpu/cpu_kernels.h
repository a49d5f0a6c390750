#pragma once

#include <memory>

#include "base/result.h"
#include "device/kernels.h"

namespace kb::device {

base::Result<std::unique_ptr<Kernels>> CreateCpuKernels();

}  // namespace kb::device
