#include "cuda/driver_api.h"

#include <dlfcn.h>

#include <memory>

namespace kb::device::cuda {

void* Library::Find(const char* symbol) {
  void* address = dlsym(handle_, symbol);
  if (address == nullptr && missing_.empty()) missing_ = symbol;
  return address;
}

base::Result<const Driver*> Driver::Open() {
  void* handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return base::Fail(
        "no CUDA driver: cannot open libcuda.so.1 ({}). Install the NVIDIA "
        "driver, give the container access to the GPU, or use --device cpu",
        dlerror());
  static Driver driver(handle);
  if (!driver.library_.missing().empty())
    return base::Fail(
        "the CUDA driver is too old: libcuda.so.1 has no {}. A driver for CUDA "
        "11.7 or newer is needed",
        driver.library_.missing());
  return &driver;
}

base::Result<const Driver*> Driver::Get() {
  static const base::Result<const Driver*> kDriver = Open();
  return kDriver;
}

std::string DescribeFailure(const char* symbol, int status) {
  const auto driver = Driver::Get();
  const char* name = nullptr;
  const char* text = nullptr;
  if (!driver || (*driver)->get_error_name.Status(status, &name) != kSuccess ||
      (*driver)->get_error_string.Status(status, &text) != kSuccess)
    return fmt::format("{}: CUDA error {}", symbol, status);
  return fmt::format("{}: {} ({})", symbol, name, text);
}

}  // namespace kb::device::cuda
