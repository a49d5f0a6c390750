#include "ceilings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "os/files.h"

namespace kb::oracle {
namespace {

namespace fs = std::filesystem;

class CeilingsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-ceilings");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    ::setenv("KB_CACHE", folder_->path().c_str(), 1);
  }
  void TearDown() override { ::unsetenv("KB_CACHE"); }

  std::string OnlyFile() const {
    std::string found;
    for (const auto& entry :
         fs::directory_iterator(folder_->path() + "/ceilings"))
      found = entry.path();
    return found;
  }

  std::optional<os::TempDir> folder_;
  record::DeviceFacts device_{"cuda:0", "NVIDIA H200", "580 (CUDA 13.0)",
                              "2.11.0", "sm_90"};
  record::Ceilings ceilings_{4054.5, 52.5, 390.25, 760.5, 790.25};
};

TEST_F(CeilingsTest, WhatWasKeptIsReadAgain) {
  EXPECT_FALSE(KeptCeilings(device_));
  KeepCeilings(device_, ceilings_);
  EXPECT_EQ(KeptCeilings(device_), ceilings_);
}

TEST_F(CeilingsTest, AnotherDeviceDriverOrPyTorchIsMeasuredAnew) {
  KeepCeilings(device_, ceilings_);
  record::DeviceFacts other = device_;
  other.name = "NVIDIA H100";
  EXPECT_FALSE(KeptCeilings(other));
  other = device_;
  other.driver = "581 (CUDA 13.0)";
  EXPECT_FALSE(KeptCeilings(other));
  other = device_;
  other.torch = "2.12.0";
  EXPECT_FALSE(KeptCeilings(other));
  other = device_;
  other.device = "cuda:1";
  EXPECT_TRUE(KeptCeilings(other)) << "one of the same kind";
}

TEST_F(CeilingsTest, BrokenFileIsNotBelieved) {
  KeepCeilings(device_, ceilings_);
  const std::string path = OnlyFile();
  for (const char* text :
       {"", "{", "[]", "{}", R"({"ceilings": 1})", R"({"ceilings": {}})",
        R"({"ceilings": {"bandwidth_gbps": 0, "fp32_tflops": 1,
            "tf32_tflops": 1, "fp16_tflops": 1, "bf16_tflops": 1}})",
        R"({"ceilings": {"bandwidth_gbps": "4000", "fp32_tflops": 1,
            "tf32_tflops": 1, "fp16_tflops": 1, "bf16_tflops": 1}})"}) {
    ASSERT_TRUE(os::WriteFileAtomically(path, text));
    EXPECT_FALSE(KeptCeilings(device_)) << text;
  }
  KeepCeilings(device_, ceilings_);
  EXPECT_TRUE(KeptCeilings(device_));
}

TEST_F(CeilingsTest, WhatWasNotMeasuredIsNotKept) {
  ceilings_.bandwidth_gbps = 0;
  KeepCeilings(device_, ceilings_);
  EXPECT_FALSE(KeptCeilings(device_));
  EXPECT_TRUE(OnlyFile().empty());
}

}  // namespace
}  // namespace kb::oracle
