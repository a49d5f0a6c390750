#pragma once

#include <memory>

#include "base/result.h"
#include "device/occupation.h"

namespace kb::device::cuda {

// `device`: one that OpenCudaDevice opened.
base::Result<std::unique_ptr<Occupation>> CreateCudaOccupation(Device* device);

}  // namespace kb::device::cuda
