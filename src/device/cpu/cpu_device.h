#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"

namespace kb::device {

base::Result<std::unique_ptr<Device>> OpenCpuDevice();

}  // namespace kb::device
