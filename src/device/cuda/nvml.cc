#include "cuda/nvml.h"

#include <dlfcn.h>

#include <array>

namespace kb::device::cuda {
namespace {

// nvml.h, stable since NVML 5.
constexpr unsigned kClockSm = 1;
constexpr unsigned kTemperatureGpu = 0;
constexpr unsigned long long kHardwareSlowdown = 0x8;
constexpr unsigned long long kSoftwareThermal = 0x20;
constexpr unsigned long long kHardwareThermal = 0x40;
constexpr unsigned long long kPowerBrake = 0x80;

// Calls a function of the library; false when it is missing or fails.
template <typename... Args>
bool Call(void* library, const char* name, Args... args) {
  auto* function = reinterpret_cast<int (*)(Args...)>(dlsym(library, name));
  return function != nullptr && function(args...) == 0;
}

}  // namespace

Nvml::Nvml(const PrimaryContext& context) {
  std::array<char, 32> bus{};
  if (context.driver().device_get_pci_bus_id.Status(
          bus.data(), static_cast<int>(bus.size()), context.device()) !=
      kSuccess)
    return;
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return;
  if (!Call(library_, "nvmlInit_v2") ||
      !Call(library_, "nvmlDeviceGetHandleByPciBusId_v2",
            static_cast<const char*>(bus.data()), &device_))
    device_ = nullptr;
}

Health Nvml::Read() const {
  Health health;
  if (device_ == nullptr) return health;
  unsigned clock = 0;
  if (Call(library_, "nvmlDeviceGetClockInfo", device_, kClockSm, &clock))
    health.clock_mhz = clock;
  unsigned celsius = 0;
  if (Call(library_, "nvmlDeviceGetTemperature", device_, kTemperatureGpu,
           &celsius))
    health.temperature_c = celsius;
  unsigned long long reasons = 0;
  if (Call(library_, "nvmlDeviceGetCurrentClocksThrottleReasons", device_,
           &reasons) &&
      (reasons & (kHardwareSlowdown | kSoftwareThermal | kHardwareThermal |
                  kPowerBrake)) != 0)
    health.warning = "the GPU lowered its clocks while it was timed";
  return health;
}

}  // namespace kb::device::cuda
