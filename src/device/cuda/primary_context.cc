#include "cuda/primary_context.h"

namespace kb::device::cuda {

namespace {

base::Result<CUdevice> FindDevice(const Driver& driver, int index) {
  KB_TRY(driver.init(0));
  int count = 0;
  KB_TRY(driver.device_get_count(&count));
  if (index >= count)
    return base::Usage(
        "no device cuda:{}: this process sees {} CUDA device(s); see "
        "CUDA_VISIBLE_DEVICES",
        index, count);
  CUdevice device = 0;
  KB_TRY(driver.device_get(&device, index));
  return device;
}

}  // namespace

base::Result<ContextPtr> PrimaryContext::Retain(int index) {
  KB_ASSIGN(const Driver* driver, Driver::Get());
  KB_ASSIGN(const CUdevice device, FindDevice(*driver, index));
  CUcontext context = nullptr;
  KB_TRY(driver->primary_retain(&context, device));
  struct Owner : PrimaryContext {
    Owner(const Driver* d, CUdevice n) : PrimaryContext(d, n) {}
  };
  ContextPtr owner = std::make_shared<const Owner>(driver, device);
  KB_TRY(driver->ctx_set_current(context));
  return owner;
}

PrimaryContext::~PrimaryContext() { driver_->primary_release.Status(device_); }

base::Result<int> PrimaryContext::Attribute(int attribute) const {
  int value = 0;
  KB_TRY(driver_->device_get_attribute(&value, attribute, device_));
  return value;
}

base::Result<std::string> PrimaryContext::Arch() const {
  KB_ASSIGN(const int major, Attribute(kAttributeComputeCapabilityMajor));
  KB_ASSIGN(const int minor, Attribute(kAttributeComputeCapabilityMinor));
  return fmt::format("sm_{}{}", major, minor);
}

}  // namespace kb::device::cuda
