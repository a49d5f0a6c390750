#include "analysis/roofline.h"

#include <gtest/gtest.h>

namespace kb::analysis {
namespace {

record::Cost CostOf(int64_t bytes, double flops) {
  record::Cost cost;
  cost.compulsory_bytes = bytes;
  cost.flops = flops;
  return cost;
}

const Roofline kDevice{"a device", 1000, 10, "fp32"};

TEST(Roofline, TheLongerOfBytesAndFlopsIsTheCeiling) {
  // 1 MB at 1000 GB/s is 1 us; 1e8 FLOPs at 10 TFLOPS are 10 us.
  EXPECT_DOUBLE_EQ(*RooflineShare(CostOf(1'000'000, 0), kDevice, 4), 0.25);
  EXPECT_DOUBLE_EQ(*RooflineShare(CostOf(1'000'000, 1e8), kDevice, 20), 0.5);
}

TEST(Roofline, OfWhatWasMeasuredIsThatOfItsFasterUnits) {
  EXPECT_FALSE(MeasuredRoofline("a device", {}));
  auto roofline = MeasuredRoofline("a device", {4000, 50, 400, 790, 800});
  ASSERT_TRUE(roofline);
  EXPECT_TRUE(roofline->measured);
  EXPECT_EQ(roofline->bandwidth_gbps, 4000);
  EXPECT_EQ(roofline->tflops, 400);
  EXPECT_EQ(roofline->precision, "TF32 tensor cores");
  roofline = MeasuredRoofline("a device", {300, 8, 8, 60, 4});
  EXPECT_EQ(roofline->tflops, 8);
  EXPECT_EQ(roofline->precision, "fp32");
  EXPECT_FALSE(kDevice.measured);
}

TEST(Roofline, NoTimeOrNoDataSheetGivesNoShare) {
  EXPECT_FALSE(RooflineShare(CostOf(1'000'000, 0), kDevice, 0));
  EXPECT_FALSE(RooflineShare(CostOf(1'000'000, 0), Roofline(), 1));
}

}  // namespace
}  // namespace kb::analysis
