#include "elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace kb::verify {
namespace {

using record::DType;

template <typename T>
std::vector<double> Read(DType dtype, std::vector<T> raw) {
  return ToDoubles(std::as_bytes(std::span(raw)), dtype);
}

using Doubles = std::vector<double>;

TEST(Elements, EveryTypeBecomesItsValue) {
  EXPECT_EQ(Read<uint8_t>(DType::kBool, {0, 1}), (Doubles{0, 1}));
  EXPECT_EQ(Read<uint8_t>(DType::kUInt8, {255}), (Doubles{255}));
  EXPECT_EQ(Read<int8_t>(DType::kInt8, {-128}), (Doubles{-128}));
  EXPECT_EQ(Read<int16_t>(DType::kInt16, {-300}), (Doubles{-300}));
  EXPECT_EQ(Read<int32_t>(DType::kInt32, {-70000}), (Doubles{-70000}));
  EXPECT_EQ(Read<int64_t>(DType::kInt64, {int64_t{1} << 40}),
            (Doubles{std::ldexp(1.0, 40)}));
  EXPECT_EQ(Read<float>(DType::kFloat32, {0.5f, -2.0f}), (Doubles{0.5, -2}));
  EXPECT_EQ(Read<double>(DType::kFloat64, {1e300}), (Doubles{1e300}));
  // 1, -2, the largest half, the smallest subnormal (IEEE 754 binary16).
  EXPECT_EQ(Read<uint16_t>(DType::kFloat16, {0x3c00, 0xc000, 0x7bff, 0x0001}),
            (Doubles{1, -2, 65504, std::ldexp(1.0, -24)}));
  EXPECT_EQ(Read<uint16_t>(DType::kBFloat16, {0x3f80, 0xc000, 0x7f80}),
            (Doubles{1, -2, std::numeric_limits<double>::infinity()}));
}

TEST(Elements, MultiIndexIsRowMajor) {
  EXPECT_EQ(MultiIndex({2, 3, 5}, 29), (std::vector<int64_t>{1, 2, 4}));
  EXPECT_EQ(MultiIndex({2, 3, 5}, 5), (std::vector<int64_t>{0, 1, 0}));
  EXPECT_EQ(MultiIndex({}, 0), (std::vector<int64_t>{}));
}

}  // namespace
}  // namespace kb::verify
