#include "timing/floor.h"

#include <gtest/gtest.h>

namespace kb::timing {
namespace {

using record::Precision;

constexpr double kCache = 134217728;  // 128 MiB, which need not be moved
const record::Ceilings kDevice{.bandwidth_gbps = 4000,
                               .fp32_tflops = 50,
                               .tf32_tflops = 400,
                               .fp16_tflops = 790,
                               .bf16_tflops = 800};

record::Problem Counting(bool inputs, bool weights, bool flops) {
  record::Problem problem;
  problem.floor.inputs = inputs;
  problem.floor.weights = weights;
  problem.floor.flops = flops;
  problem.cost.emplace().flops = 7e12;
  return problem;
}

record::Ruler Moving(uint64_t inputs, uint64_t weights, uint64_t outputs) {
  record::Ruler ruler;
  ruler.input_bytes = inputs;
  ruler.weight_bytes = weights;
  ruler.output_bytes = outputs;
  return ruler;
}

TEST(Demand, OfWhatNobodyKnowsIsTheOutputs) {
  const Demand demand =
      DemandOf(record::Problem(), Precision::kFp32, Moving(1000, 200, 30));
  EXPECT_EQ(demand.bytes, 30);
  EXPECT_EQ(demand.flops, 0);
}

TEST(Demand, IsWhatTheProblemCounts) {
  const record::Ruler ruler = Moving(1000, 200, 30);
  const auto of = [&](bool inputs, bool weights, bool flops) {
    return DemandOf(Counting(inputs, weights, flops), Precision::kBf16, ruler);
  };
  EXPECT_EQ(of(true, false, false).bytes, 1030);
  EXPECT_EQ(of(false, true, false).bytes, 130) << "half of the weights";
  EXPECT_EQ(of(true, true, true).bytes, 1130);
  EXPECT_EQ(of(false, false, true).flops, 7e12);
  EXPECT_EQ(of(true, true, false).flops, 0);
}

TEST(Demand, OfAnotherPrecisionIsTheOutputs) {
  record::Problem problem = Counting(true, true, true);
  problem.floor.precisions = {Precision::kFp32};
  const record::Ruler ruler = Moving(1000, 200, 30);
  EXPECT_EQ(DemandOf(problem, Precision::kFp32, ruler).bytes, 1130);
  EXPECT_EQ(DemandOf(problem, Precision::kFp16, ruler).bytes, 30);
  EXPECT_EQ(DemandOf(problem, Precision::kFp16, ruler).flops, 0);
}

TEST(Demand, OfAProblemThatNobodyMeasuredHasNoFlops) {
  record::Problem problem = Counting(false, false, true);
  problem.cost.reset();
  EXPECT_EQ(DemandOf(problem, Precision::kFp32, Moving(1, 1, 1)).flops, 0);
}

TEST(Floor, IsFourFifthsOfMovingWhatNoCacheHolds) {
  // 4e9 bytes at 4e12 a second are 1 ms.
  EXPECT_NEAR(FloorMicros({kCache + 4e9, 0}, kDevice, Precision::kFp32), 800,
              1e-9);
}

TEST(Floor, IsThatOfTheFlopsWhereTheyTakeLonger) {
  // 8e11 at 8e14 a second are 1 ms; bf16 is the fastest that was measured.
  EXPECT_NEAR(FloorMicros({kCache, 8e11}, kDevice, Precision::kFp32), 800,
              1e-9);
  EXPECT_NEAR(FloorMicros({kCache + 8e9, 8e11}, kDevice, Precision::kFp32),
              1600, 1e-9);
}

TEST(Floor, LetsEightBitsWorkWhereTheToleranceDoes) {
  for (const Precision precision : {Precision::kFp16, Precision::kBf16})
    EXPECT_NEAR(FloorMicros({kCache, 8e11}, kDevice, precision), 400, 1e-9);
}

TEST(Floor, IsHalfAMicrosecondForWhatACacheHolds) {
  EXPECT_EQ(FloorMicros({1, 0}, kDevice, Precision::kFp32), 0.5);
  EXPECT_EQ(FloorMicros({kCache, 0}, kDevice, Precision::kFp32), 0.5);
}

TEST(Floor, IsNotKnownOfADeviceThatNobodyMeasured) {
  EXPECT_EQ(FloorMicros({1e12, 1e15}, {}, Precision::kFp32), 0);
  EXPECT_EQ(FloorMicros({0, 0}, kDevice, Precision::kFp32), 0);
}

}  // namespace
}  // namespace kb::timing
