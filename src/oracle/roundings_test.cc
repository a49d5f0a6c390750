#include "roundings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kb::oracle {
namespace {

TensorView Drawn(std::vector<int64_t> shape,
                 record::DType dtype = record::DType::kFloat32) {
  TensorView view;
  view.spec.dtype = dtype;
  view.spec.shape = std::move(shape);
  return view;
}

double OfSum(const std::vector<TensorView>& inputs,
             std::vector<int64_t> output = {},
             record::DType dtype = record::DType::kFloat32) {
  return RoundingsOfSum(inputs, Drawn(std::move(output), dtype).spec);
}

TEST(RoundingsOfSum, IsTwiceTheFourthRootOfManyTerms) {
  EXPECT_DOUBLE_EQ(OfSum({Drawn({1 << 16})}), 32);
  EXPECT_DOUBLE_EQ(OfSum({Drawn({1 << 10, 1 << 10})}), 64);
  EXPECT_DOUBLE_EQ(OfSum({Drawn({1 << 19}), Drawn({1 << 19})}), 64);
  EXPECT_DOUBLE_EQ(OfSum({Drawn({1 << 20})}, {1 << 4}), 32);
}

TEST(RoundingsOfSum, IsNoneOfFewOrOfAnotherType) {
  EXPECT_EQ(OfSum({Drawn({(1 << 16) - 1})}), 0);
  EXPECT_EQ(OfSum({Drawn({1 << 20})}, {1 << 5}), 0);
  EXPECT_EQ(OfSum({Drawn({1 << 20})}, {1 << 20}), 0);
  EXPECT_EQ(OfSum({}), 0);
  EXPECT_EQ(OfSum({Drawn({1 << 20}, record::DType::kInt64)}), 0);
  EXPECT_EQ(OfSum({Drawn({1 << 20})}, {}, record::DType::kBFloat16), 0);
}

// The truth is float64's sum of terms of which most are small beside a few, as
// of mixed inputs. In float32 there are as many parts as each has terms.
TEST(RoundingsOfSum, HoldsWhatSerialPartsErrBy) {
  constexpr int64_t kParts = 2048;
  std::mt19937 bits(7);
  std::lognormal_distribution<float> draw(0, 4);
  std::vector<float> parts(kParts);
  double exact = 0;
  for (int64_t i = 0; i < kParts * kParts; ++i) {
    const float value = draw(bits);
    parts[i % kParts] += value;
    exact += double{value};
  }
  double sum = 0;
  for (const float part : parts) sum += double{part};
  const double roundings =
      std::abs(sum - exact) / exact / RoundingError(record::DType::kFloat32);
  EXPECT_GT(roundings, 8);  // else there is nothing to hold
  EXPECT_LE(roundings, OfSum({Drawn({kParts, kParts})}));
}

}  // namespace
}  // namespace kb::oracle
