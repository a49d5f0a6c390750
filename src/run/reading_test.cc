#include "run/reading.h"

#include <gtest/gtest.h>

namespace kb::run {
namespace {

const std::string kPrompts = KB_SOURCE_DIR "/share/prompts";

TEST(Roofline, OfADeviceWithTf32IsThatOfItsTensorCores) {
  const auto roofline = RooflineOf(kPrompts, "NVIDIA A100-SXM4-80GB");
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->tflops, 156);
  EXPECT_EQ(roofline->precision, "TF32 tensor cores");
}

TEST(Roofline, OfADeviceWithoutTf32IsThatOfFp32) {
  const auto roofline = RooflineOf(kPrompts, "Tesla T4");
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->tflops, 8.1);
  EXPECT_EQ(roofline->precision, "fp32");
}

TEST(Roofline, OfADeviceWithoutADataSheetIsNotKnown) {
  EXPECT_FALSE(RooflineOf(kPrompts, "cpu"));
  EXPECT_FALSE(RooflineOf(kPrompts, "Tesla T4000"));
}

}  // namespace
}  // namespace kb::run
