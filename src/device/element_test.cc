#include "kernels/element.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.h"

namespace kb::kernels {
namespace {

// The definition of a binary format: sign, exponent with this many bits, rest.
double Decode(Word16 bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction != 0 ? std::nan("") : sign * INFINITY;
  const int implicit = exponent == 0 ? 0 : 1 << fraction_bits;
  return sign * std::ldexp(fraction + implicit,
                           std::max(exponent, 1) - bias - fraction_bits);
}

bool Same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

template <typename Function>
void ForAll16Bits(Function function) {
  for (int bits = 0; bits < 0x10000; ++bits)
    function(static_cast<Word16>(bits));
}

TEST(Element, EveryFloat16IsDecodedExactly) {
  ForAll16Bits([](Word16 bits) {
    ASSERT_TRUE(Same(HalfToFloat(bits), Decode(bits, 5))) << bits;
  });
}

TEST(Element, EveryBFloat16IsDecodedExactly) {
  ForAll16Bits([](Word16 bits) {
    ASSERT_TRUE(Same(BFloatToFloat(bits), Decode(bits, 8))) << bits;
  });
}

TEST(Element, EveryHalfSurvivesTheWayToFloatAndBack) {
  ForAll16Bits([](Word16 bits) {
    const bool half_nan = std::isnan(Decode(bits, 5));
    const bool bfloat_nan = std::isnan(Decode(bits, 8));
    ASSERT_EQ(FloatToHalf(HalfToFloat(bits)), half_nan ? (bits | 0x200) : bits);
    ASSERT_EQ(FloatToBFloat(BFloatToFloat(bits)),
              bfloat_nan ? (bits | 0x40) : bits);
  });
}

// Between each two neighbours: just below the middle, the middle (to even) and
// just above it. `largest`: bits of the largest finite value.
template <typename Encode>
void CheckRounding(Encode encode, int exponent_bits, Word16 largest) {
  for (int low = 0; low <= largest; ++low) {
    const auto bits = static_cast<Word16>(low);
    const double a = Decode(bits, exponent_bits);
    const double step = low == largest ? a - Decode(bits - 1, exponent_bits)
                                       : Decode(bits + 1, exponent_bits) - a;
    const auto middle = static_cast<float>(a + step / 2);
    if (static_cast<double>(middle) != a + step / 2) continue;
    const auto up = static_cast<Word16>(bits + 1);
    const Word16 even = (bits & 1) == 0 ? bits : up;
    ASSERT_EQ(encode(middle), even) << low;
    ASSERT_EQ(encode(-middle), even | 0x8000) << low;
    ASSERT_EQ(encode(std::nextafter(middle, 0.0f)), bits) << low;
    ASSERT_EQ(encode(std::nextafter(middle, INFINITY)), up) << low;
  }
}

TEST(Element, RoundingGoesToTheNearestAndTiesToEven) {
  CheckRounding(FloatToHalf, 5, 0x7bff);
  CheckRounding(FloatToBFloat, 8, 0x7f7f);
}

TEST(Element, RoundingKeepsInfinityAndNaN) {
  EXPECT_EQ(FloatToHalf(INFINITY), 0x7c00);
  EXPECT_EQ(FloatToHalf(-INFINITY), 0xfc00);
  EXPECT_EQ(FloatToHalf(1e30f), 0x7c00);
  EXPECT_EQ(FloatToBFloat(INFINITY), 0x7f80);
  EXPECT_TRUE(std::isnan(HalfToFloat(FloatToHalf(std::nanf("")))));
  // A NaN whose payload lies in the bits that are cut off.
  EXPECT_TRUE(std::isnan(BFloatToFloat(FloatToBFloat(ToFloat(0x7f800001)))));
  EXPECT_TRUE(std::isnan(HalfToFloat(FloatToHalf(ToFloat(0x7f800001)))));
}

TEST(Element, SpreadIsBaseMix) {
  for (uint64_t x = 0; x < 1000; ++x)
    ASSERT_EQ(Spread(x * x * 77), base::Mix(x * x * 77));
}

TEST(Element, IntegerDistanceNeverOverflows) {
  constexpr auto kMin = static_cast<Word64>(INT64_MIN);
  constexpr auto kMax = static_cast<Word64>(INT64_MAX);
  EXPECT_EQ(Int64::Distance(kMin, kMax), 18446744073709551615.0);
  EXPECT_EQ(Int64::Distance(kMax, kMax - 1), 1);
  EXPECT_EQ(Int8::Distance(0x80, 0x7f), 255);
  EXPECT_EQ(UInt8::Distance(0, 255), 255);
  EXPECT_EQ(Int16::Distance(0xffff, 0), 1);
}

template <typename T>
class FloatingPoison : public testing::Test {};
using FloatingTypes = testing::Types<Float16, BFloat16, Float32, Float64>;
TYPED_TEST_SUITE(FloatingPoison, FloatingTypes);

TYPED_TEST(FloatingPoison, IsNaNThatNoProcessorMakes) {
  using T = TypeParam;
  using Bits = typename T::Bits;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Bits made = T::Round(nan), negative = T::Round(-nan);
  const auto all_ones = static_cast<Bits>(~Bits{0});
  const auto canonical = static_cast<Bits>(all_ones >> 1);
  for (int i = 0; i < 100000; ++i) {
    const Bits bits = PoisonAt<T>(5, i);
    ASSERT_TRUE(std::isnan(T::Value(bits)));
    ASSERT_NE(bits, made);
    ASSERT_NE(bits, negative);
    ASSERT_NE(bits, all_ones);
    ASSERT_NE(bits, canonical);
  }
}

TEST(Poison, OfBoolIsNeverABool) {
  for (int i = 0; i < 100000; ++i)
    ASSERT_FALSE(Bool::IsValid(PoisonAt<Bool>(5, i)));
}

TEST(Poison, DependsOnSeedAndPlace) {
  int same_place = 0, same_seed = 0;
  for (int i = 0; i < 1000; ++i) {
    same_place += PoisonAt<Float32>(1, i) == PoisonAt<Float32>(2, i);
    same_seed += PoisonAt<Float32>(1, i) == PoisonAt<Float32>(1, i + 1);
  }
  EXPECT_LE(same_place, 1);
  EXPECT_LE(same_seed, 1);
}

TEST(DifferentBytes, CountsEachByteOnce) {
  base::Sequence random(3);
  for (int i = 0; i < 10000; ++i) {
    const Word64 a = random.Next();
    Word64 change = 0;
    unsigned expected = 0;
    for (int byte = 0; byte < 8; ++byte) {
      const Word64 bits = random.Below(2) == 0 ? 0 : random.Below(256);
      change |= bits << (8 * byte);
      expected += bits != 0;
    }
    ASSERT_EQ(DifferentBytes(a, a ^ change), expected);
  }
  EXPECT_EQ(DifferentBytes(0, ~Word64{0}), 8u);
  EXPECT_EQ(DifferentBytes(0, 0x8000000000000001), 2u);
}

}  // namespace
}  // namespace kb::kernels
