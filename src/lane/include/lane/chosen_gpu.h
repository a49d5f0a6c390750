#pragma once

#include <cstddef>
#include <string>

namespace kb::lane {

// One GPU among several.
struct ChosenGpu {
  std::string uuid;  // "GPU-8a05...", for CUDA_VISIBLE_DEVICES
  // "/dev/nvidia1", which a jail shows alone; empty where it is not known: all
  // are shown, and a candidate can open another one.
  std::string node;
  // Which of the driver's GPUs, in the order of their addresses, and of how
  // many. 0: it is not among them.
  size_t index = 0;
  size_t of = 0;
};

// Looks the GPU up in the driver's folder, which has one for each GPU with a
// file "information".
ChosenGpu ChooseGpu(const std::string& uuid,
                    const std::string& folder = "/proc/driver/nvidia/gpus");

}  // namespace kb::lane
