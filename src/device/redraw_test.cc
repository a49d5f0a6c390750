#include "kernels/redraw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "device/device.h"
#include "device/kernels.h"
#include "element_of.h"

namespace kb::device {
namespace {

using record::Distribution;
using record::DType;

constexpr int64_t kCount = 1 << 16;
constexpr double kAll = kCount;
constexpr uint64_t kSeed = 11;

TEST(Redraw, WaysAreNumberedAsDistributions) {
  EXPECT_EQ(kernels::kLongTail, static_cast<int>(Distribution::kLongTail));
  EXPECT_EQ(kernels::kLarge, static_cast<int>(Distribution::kLarge));
  EXPECT_EQ(kernels::kNegative, static_cast<int>(Distribution::kNegative));
  EXPECT_EQ(kernels::kPositive, static_cast<int>(Distribution::kPositive));
  EXPECT_EQ(kernels::kNearZero, static_cast<int>(Distribution::kNearZero));
  EXPECT_EQ(kernels::kRepeated, static_cast<int>(Distribution::kRepeated));
  EXPECT_EQ(kernels::kZipf, static_cast<int>(Distribution::kZipf));
}

class RedrawTest : public testing::Test {
 protected:
  void SetUp() override {
    device_ = std::move(*Device::Open("cpu"));
    kernels_ = std::move(*Kernels::Create(device_.get()));
  }

  template <typename T>
  void ExpectNearZero(DType dtype) {
    std::vector<typename T::Bits> data(kCount, T::Round(0.75));
    ASSERT_TRUE(Distribute(&data, dtype,
                           {.as = Distribution::kNearZero, .seed = kSeed}));
    // The smallest normal number.
    const double normal = dtype == DType::kFloat16   ? std::ldexp(1, -14)
                          : dtype == DType::kFloat64 ? std::ldexp(1, -1022)
                                                     : std::ldexp(1, -126);
    int zeros = 0, denormal = 0, kept = 0;
    for (const auto bits : data) {
      const double value = T::Value(bits);
      zeros += value == 0;
      denormal += value != 0 && value < normal;
      kept += value == 0.75;
    }
    EXPECT_NEAR(zeros, kAll / 16, kAll / 200);
    EXPECT_NEAR(denormal, kAll / 16, kAll / 200);
    EXPECT_EQ(zeros + denormal + kept, kCount);
  }

  template <typename T>
  bool Distribute(std::vector<T>* data, DType dtype,
                  const Kernels::Redraw& how) {
    return kernels_
        ->Distribute(reinterpret_cast<std::byte*>(data->data()), dtype,
                     static_cast<int64_t>(data->size()), how)
        .has_value();
  }

  // What becomes of so many numbers of this value.
  std::vector<float> Floats(Distribution as, float value = 0.75F) {
    std::vector<float> data(kCount, value);
    EXPECT_TRUE(Distribute(&data, DType::kFloat32, {.as = as, .seed = kSeed}));
    return data;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Kernels> kernels_;
};

// P(|x| >= 2^n) = 4^-n, which is how Student's t with two degrees falls off.
TEST_F(RedrawTest, ALongTailHasAsManyLargeOnesAsItsLawSays) {
  int negative = 0;
  std::vector<int> at_least(6, 0);
  for (const float value : Floats(Distribution::kLongTail)) {
    negative += value < 0;
    for (int n = 0; n < 6; ++n)
      at_least[n] += std::abs(value) >= std::ldexp(0.75, n);
  }
  EXPECT_NEAR(negative, kAll / 2, kAll / 50);
  for (int n = 0; n < 6; ++n) {
    const double expected = static_cast<double>(kCount) * std::pow(4, -n);
    EXPECT_NEAR(at_least[n], expected, 5 * std::sqrt(expected)) << n;
  }
}

TEST_F(RedrawTest, LargeOnesAre128TimesAsLargeWithBothSigns) {
  std::map<float, int> seen;
  for (const float value : Floats(Distribution::kLarge)) ++seen[value];
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_NEAR(seen[96.0F], kAll / 2, kAll / 50);
  EXPECT_EQ(seen[96.0F] + seen[-96.0F], kCount);
}

TEST_F(RedrawTest, OneSignIsTheSignOfAll) {
  for (const float value : Floats(Distribution::kNegative))
    ASSERT_EQ(value, -0.75F);
  for (const float value : Floats(Distribution::kPositive, -2.0F))
    ASSERT_EQ(value, 2.0F);
}

TEST_F(RedrawTest, NearZeroASixteenthIsZeroAndAnotherDenormalInEveryType) {
  for (const DType dtype :
       {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    SCOPED_TRACE(record::DTypeName(dtype));
    WithElement(dtype, [&](auto type) {
      using T = decltype(type);
      if constexpr (T::kFloating) ExpectNearZero<T>(dtype);
    });
  }
}

TEST_F(RedrawTest, OddRowsRepeatTheOneBeforeAndSomeAreConstant) {
  constexpr int64_t kRow = 16;
  std::vector<float> data(kCount);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  const std::vector<float> drawn = data;
  ASSERT_TRUE(
      Distribute(&data, DType::kFloat32,
                 {.as = Distribution::kRepeated, .seed = kSeed, .row = kRow}));
  int constant = 0;
  for (int64_t row = 0; row < kCount / kRow; row += 2) {
    const auto at = data.begin() + row * kRow;
    ASSERT_TRUE(std::equal(at, at + kRow, at + kRow)) << row;
    ASSERT_EQ(*at, drawn[static_cast<size_t>(row * kRow)]);
    const bool flat = std::set<float>(at, at + kRow).size() == 1;
    constant += flat;
    ASSERT_TRUE(flat || std::equal(at, at + kRow, drawn.begin() + row * kRow));
  }
  EXPECT_NEAR(constant, kAll / kRow / 2 / 4, 100);
}

TEST_F(RedrawTest, AFewIdsAreMostOfThemAndNoneIsNew) {
  constexpr int64_t kLeast = -3, kRange = 1000;
  std::vector<int64_t> ids(kCount, 7);
  ASSERT_TRUE(Distribute(&ids, DType::kInt64,
                         {.as = Distribution::kZipf,
                          .seed = kSeed,
                          .least = kLeast,
                          .range = kRange}));
  std::map<int64_t, int> seen;
  for (const int64_t id : ids) {
    ASSERT_GE(id, kLeast);
    ASSERT_LT(id, kLeast + kRange);
    ++seen[id];
  }
  std::vector<int> counts;
  for (const auto& [id, count] : seen) counts.push_back(count);
  std::ranges::sort(counts, std::greater());
  // 1000 has 10 bits, each of which is as likely to be the rank's first.
  EXPECT_NEAR(counts[0], kAll / 10, kAll / 100);
  EXPECT_NEAR(counts[1], kAll / 20, kAll / 100);
  EXPECT_GT(counts.size(), 900u) << "the tail is long";
}

TEST_F(RedrawTest, WhatIsNotFiniteOrWouldNotBeStays) {
  std::vector<float> data(kCount, 3e38F);
  data[0] = INFINITY;
  ASSERT_TRUE(Distribute(&data, DType::kFloat32,
                         {.as = Distribution::kLarge, .seed = kSeed}));
  EXPECT_EQ(data[0], INFINITY);
  for (size_t i = 1; i < data.size(); ++i) ASSERT_EQ(data[i], 3e38F);
}

TEST_F(RedrawTest, WhatMakesNoSenseIsRefused) {
  std::vector<int64_t> ids(4);
  std::vector<float> floats(4);
  EXPECT_FALSE(
      Distribute(&ids, DType::kInt64, {.as = Distribution::kLongTail}));
  EXPECT_FALSE(
      Distribute(&floats, DType::kFloat32, {.as = Distribution::kZipf}));
  EXPECT_FALSE(
      Distribute(&ids, DType::kInt64, {.as = Distribution::kZipf, .range = 0}));
  EXPECT_FALSE(Distribute(&floats, DType::kFloat32,
                          {.as = Distribution::kRepeated, .row = 0}));
}

}  // namespace
}  // namespace kb::device
