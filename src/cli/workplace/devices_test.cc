#include "workplace/devices.h"

#include <gtest/gtest.h>

namespace kb::workplace {
namespace {

using compile::CudaDevice;
using Names = std::vector<std::string>;

const std::vector<CudaDevice> kAlike{{0, "NVIDIA H100", "9.0", 1, ""},
                                     {1, "NVIDIA H100", "9.0", 1, ""},
                                     {2, "NVIDIA H100", "9.0", 1, ""}};
const std::vector<CudaDevice> kMixed{{0, "NVIDIA H100", "9.0", 1, ""},
                                     {1, "NVIDIA L4", "8.9", 1, ""},
                                     {2, "NVIDIA H100", "9.0", 1, ""}};

std::string ErrorOf(const std::string& wanted,
                    const std::vector<CudaDevice>& found, bool several) {
  const auto chosen = ChooseDevices(wanted, found, several);
  if (chosen) return "";
  EXPECT_EQ(chosen.error().kind(), base::Error::Kind::kUsage);
  return chosen.error().message();
}

TEST(Devices, AllThatAreLikeTheFirstUnlessTheCommandUsesOne) {
  EXPECT_EQ(*ChooseDevices("", kAlike, true),
            (Names{"cuda:0", "cuda:1", "cuda:2"}));
  EXPECT_EQ(*ChooseDevices("", kAlike, false), Names{"cuda:0"});
  EXPECT_EQ(*ChooseDevices("", kMixed, true), (Names{"cuda:0", "cuda:2"}));
  EXPECT_EQ(*ChooseDevices("cuda:all", kMixed, true),
            (Names{"cuda:0", "cuda:2"}));
  EXPECT_EQ(*ChooseDevices("", {}, true), Names{"cpu"});
}

TEST(Devices, AreChosenByName) {
  EXPECT_EQ(*ChooseDevices("cpu", kAlike, true), Names{"cpu"});
  EXPECT_EQ(*ChooseDevices("cuda", kAlike, true), Names{"cuda:0"});
  EXPECT_EQ(*ChooseDevices("cuda:1", kMixed, true), Names{"cuda:1"});
  EXPECT_EQ(*ChooseDevices("cuda:2,0", kAlike, true),
            (Names{"cuda:2", "cuda:0"}));
  EXPECT_EQ(*ChooseDevices("cuda:0,cuda:2", kMixed, true),
            (Names{"cuda:0", "cuda:2"}));
}

TEST(Devices, WhatIsNotThereIsRefusedWithWhatIs) {
  EXPECT_EQ(ErrorOf("cuda:7", kAlike, true),
            "--device cuda:7: PyTorch sees 3 CUDA devices here; use cpu or "
            "cuda:0, cuda:1, cuda:2");
  EXPECT_EQ(ErrorOf("cuda:all", {}, true),
            "--device cuda:all: PyTorch sees 0 CUDA devices here; use cpu");
  EXPECT_NE(ErrorOf("gpu", kAlike, true), "");
  EXPECT_NE(ErrorOf("cuda:", kAlike, true), "");
}

TEST(Devices, TimesOfTwoModelsAreNotMixed) {
  EXPECT_EQ(ErrorOf("cuda:0,1", kMixed, true),
            "--device cuda:0,1: cuda:0 is a NVIDIA H100 and cuda:1 a NVIDIA "
            "L4, whose times are not comparable; use devices of one model");
  EXPECT_NE(ErrorOf("cuda:1,1", kAlike, true).find("named twice"),
            std::string::npos);
}

TEST(Devices, ACommandThatUsesOneSaysSo) {
  EXPECT_EQ(ErrorOf("cuda:all", kAlike, false),
            "--device cuda:all: this command uses one device; name one of "
            "cuda:0, cuda:1, cuda:2");
}

}  // namespace
}  // namespace kb::workplace
