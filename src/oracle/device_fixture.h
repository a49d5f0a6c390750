#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "device/device.h"
#include "device/kernels.h"

namespace kb::oracle {

// The cpu device with its kernels.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    auto device = device::Device::Open("cpu");
    ASSERT_TRUE(device);
    device_ = std::move(*device);
    auto kernels = device::Kernels::Create(device_.get());
    ASSERT_TRUE(kernels);
    kernels_ = std::move(*kernels);
  }

  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Kernels> kernels_;
};

}  // namespace kb::oracle
