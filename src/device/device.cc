#include "device/device.h"

#include <charconv>

#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"

namespace kb::device {

base::Result<std::unique_ptr<Device>> Device::Open(const std::string& name) {
  if (name == "cpu") return OpenCpuDevice();
  const std::string_view prefix = "cuda:";
  if (name.starts_with(prefix)) {
    int index = -1;
    const char* begin = name.data() + prefix.size();
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, index);
    if (error == std::errc() && stop == end && index >= 0)
      return cuda::OpenCudaDevice(index);
  }
  return base::Usage("no device \"{}\": say \"cpu\" or \"cuda:N\", e.g. cuda:0",
                     name);
}

}  // namespace kb::device
