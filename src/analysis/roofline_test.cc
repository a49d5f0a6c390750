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
  const auto at = [](const record::Ceilings& ceilings,
                     record::Precision precision = record::Precision::kFp32) {
    return RooflineAt(precision, "a device", ceilings, true);
  };
  EXPECT_FALSE(at({}));
  auto roofline = at({4000, 50, 400, 790, 800});
  ASSERT_TRUE(roofline);
  EXPECT_TRUE(roofline->measured);
  EXPECT_EQ(roofline->bandwidth_gbps, 4000);
  EXPECT_EQ(roofline->tflops, 400);
  EXPECT_EQ(roofline->precision, "TF32 tensor cores");
  roofline = at({300, 8, 8, 60, 4});
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->tflops, 8);
  EXPECT_EQ(roofline->precision, "fp32");
  EXPECT_FALSE(kDevice.measured);
}

TEST(Roofline, IsThatOfTheModelsPrecision) {
  using enum record::Precision;
  const record::Ceilings ceilings{4000, 50, 400, 790, 800};
  const auto at = [](record::Precision precision,
                     const record::Ceilings& of_device) {
    return RooflineAt(precision, "a device", of_device, false);
  };
  const auto fp16 = at(kFp16, ceilings);
  const auto bf16 = at(kBf16, ceilings);
  ASSERT_TRUE(fp16 && bf16);
  EXPECT_EQ(fp16->tflops, 790);
  EXPECT_EQ(fp16->precision, "fp16");
  EXPECT_EQ(bf16->tflops, 800);
  EXPECT_EQ(bf16->precision, "bf16");
  EXPECT_FALSE(at(kAsGiven, ceilings));
  EXPECT_FALSE(at(kBf16, {300, 8, 8, 60, 0})) << "no units for it";
}

TEST(Roofline, NoTimeOrNoDataSheetGivesNoShare) {
  EXPECT_FALSE(RooflineShare(CostOf(1'000'000, 0), kDevice, 0));
  EXPECT_FALSE(RooflineShare(CostOf(1'000'000, 0), Roofline(), 1));
}

}  // namespace
}  // namespace kb::analysis
