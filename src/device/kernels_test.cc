#include "device/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "base/random.h"
#include "element_of.h"

namespace kb::device {
namespace {

using record::DType;
using record::Tolerance;

constexpr DType kAll[] = {DType::kBool,    DType::kUInt8,    DType::kInt8,
                          DType::kInt16,   DType::kInt32,    DType::kInt64,
                          DType::kFloat16, DType::kBFloat16, DType::kFloat32,
                          DType::kFloat64};
constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Tolerance kExact{0, 0};

template <typename T>
std::byte* BytesOf(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

class KernelsTest : public testing::Test {
 protected:
  std::unique_ptr<Device> device_ = std::move(*Device::Open("cpu"));
  std::unique_ptr<Kernels> kernels_ =
      std::move(*Kernels::Create(device_.get()));

  template <typename T>
  Tally Compare(DType dtype, std::vector<T> expected, std::vector<T> actual,
                Tolerance tolerance = kExact, uint64_t seed = 0) {
    EXPECT_EQ(expected.size(), actual.size());
    return kernels_
        ->Compare(BytesOf(expected), dtype, BytesOf(actual), dtype,
                  static_cast<int64_t>(actual.size()), tolerance, seed)
        .value_or(Tally{});
  }
  Tally CompareFloats(std::vector<float> expected, std::vector<float> actual,
                      Tolerance tolerance = kExact) {
    return Compare(DType::kFloat32, std::move(expected), std::move(actual),
                   tolerance);
  }
};

TEST_F(KernelsTest, EqualTensorsHaveNothingWrong) {
  const Tally tally = CompareFloats({0, 1, -2, 3}, {0, 1, -2, 3});
  EXPECT_EQ(tally.elements, 4);
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.zeros, 1);
  EXPECT_EQ(tally.min_actual, -2);
  EXPECT_EQ(tally.max_actual, 3);
  EXPECT_EQ(tally.first_wrong, -1);
  EXPECT_EQ(tally.worst, -1);
  EXPECT_EQ(tally.sum_sq_error, 0);
  EXPECT_EQ(tally.sum_sq_expected, 14);
}

TEST_F(KernelsTest, NothingToCompareIsAnEmptyTally) {
  const Tally tally = CompareFloats({}, {});
  EXPECT_EQ(tally.elements, 0);
  EXPECT_EQ(tally.min_actual, kInf);
  EXPECT_EQ(tally.max_actual, -kInf);
}

TEST_F(KernelsTest, ToleranceIncludesItsEdge) {
  // All numbers are exact: 4 * 0.25 + 0.5 = 1.5.
  const Tolerance tolerance{0.5, 0.25};
  EXPECT_EQ(CompareFloats({4}, {5.5f}, tolerance).wrong, 0);
  EXPECT_EQ(CompareFloats({-4}, {-5.5f}, tolerance).wrong, 0);
  EXPECT_EQ(CompareFloats({4}, {2.5f}, tolerance).wrong, 0);
  const float above = std::nextafter(5.5f, 6.0f);
  EXPECT_EQ(CompareFloats({4}, {above}, tolerance).wrong, 1);
  EXPECT_EQ(CompareFloats({0}, {0.5f}, tolerance).wrong, 0);
  EXPECT_EQ(CompareFloats({0}, {0.75f}, tolerance).wrong, 1);
}

TEST_F(KernelsTest, ToleranceIsRelativeToTheExpectedValue) {
  const Tolerance tolerance{0, 0.5};
  EXPECT_EQ(CompareFloats({1}, {1.75f}, tolerance).wrong, 1);
  EXPECT_EQ(CompareFloats({1.75f}, {1}, tolerance).wrong, 0);
}

TEST_F(KernelsTest, ToleranceOfNaNAcceptsNothing) {
  EXPECT_EQ(CompareFloats({1, 2}, {1, 2}, {kNan, 0}).wrong, 2);
  EXPECT_EQ(CompareFloats({1, 2}, {1, 2}, {0, kNan}).wrong, 2);
}

TEST_F(KernelsTest, NonFiniteValuesMustAgreeInKindAndSign) {
  const auto nan = static_cast<float>(kNan), inf = static_cast<float>(kInf);
  const Tolerance huge{1e300, 1e300};
  const Tally tally =
      CompareFloats({nan, inf, -inf, 1, 1, nan, inf, inf, nan},
                    {nan, inf, -inf, nan, inf, 1, 1, -inf, inf}, huge);
  EXPECT_EQ(tally.wrong, 6);
  EXPECT_EQ(tally.nonfinite, 6);
  EXPECT_EQ(tally.first_wrong, 3);
  EXPECT_EQ(tally.worst, 3);
  EXPECT_EQ(tally.worst_error, kInf);
  EXPECT_EQ(tally.max_abs_error, 0);
}

// Every code of the two, by the formulas of OFP8 1.0, section 5.
template <typename T>
void ExpectFloat8(int mantissa, int bias, int finite) {
  const int units = 1 << mantissa;
  for (int code = 0; code < 128; ++code) {
    const double exact =
        code < units
            ? std::ldexp(code, 1 - bias - mantissa)
            : std::ldexp(units + code % units, code / units - bias - mantissa);
    const auto bits = static_cast<kernels::Byte>(code);
    const auto negative = static_cast<kernels::Byte>(code | 0x80);
    if (code > finite) {
      EXPECT_FALSE(std::isfinite(T::Value(bits))) << code;
      continue;
    }
    EXPECT_EQ(T::Value(bits), exact) << code;
    EXPECT_EQ(T::Value(negative), -exact) << code;
    EXPECT_EQ(T::Round(exact), bits);
    EXPECT_EQ(T::Round(-exact), negative);
    if (code == finite) continue;
    const double next = T::Value(static_cast<kernels::Byte>(code + 1));
    const double middle = (exact + next) / 2;
    EXPECT_EQ(T::Round(middle), code + code % 2) << "ties go to even";
    EXPECT_EQ(T::Round(std::nextafter(static_cast<float>(middle), 0.0F)), code);
    EXPECT_EQ(T::Round(std::nextafter(static_cast<float>(middle), 1e9F)),
              code + 1);
  }
}

TEST(Elements, Float8IsAsItsSpecificationSays) {
  using kernels::Float8E4M3;
  using kernels::Float8E5M2;
  ExpectFloat8<Float8E4M3>(3, 7, 0x7e);
  ExpectFloat8<Float8E5M2>(2, 15, 0x7b);
  EXPECT_EQ(Float8E4M3::Value(0x7e), 448);
  EXPECT_EQ(Float8E5M2::Value(0x7b), 57344);
  EXPECT_EQ(Float8E5M2::Value(0xfc), -kInf);
  EXPECT_TRUE(std::isnan(Float8E5M2::Value(0x7d)));
  EXPECT_TRUE(std::isnan(Float8E4M3::Value(0xff)));
  EXPECT_EQ(Float8E4M3::Round(464.1), 0x7f);
  EXPECT_EQ(Float8E4M3::Round(1e30), 0x7f);
  EXPECT_EQ(Float8E5M2::Round(-kInf), 0xfc);
  EXPECT_EQ(Float8E5M2::Round(kNan), 0x7f);
  EXPECT_EQ(Float8E4M3::Round(std::ldexp(1, Float8E4M3::kTiny)), 2);
  EXPECT_EQ(Float8E5M2::Round(std::ldexp(1, Float8E5M2::kTiny)), 2);
}

TEST_F(KernelsTest, Float8IsComparedByItsValues) {
  std::vector<double> expected{0.05, 1.1, 300, -2};
  std::vector<uint8_t> actual{0x15, 0x39, 0x79, 0xc0};
  const auto tally = kernels_->Compare(
      BytesOf(expected), DType::kFloat64, BytesOf(actual), DType::kFloat8E4M3,
      static_cast<int64_t>(actual.size()), {0, 0.0625}, 0);
  ASSERT_TRUE(tally) << tally.error().message();
  EXPECT_EQ(tally->wrong, 0);  // 0.0508, 1.125, 288 and -2
  actual[2] = 0x78;
  const auto wrong = kernels_->Compare(
      BytesOf(expected), DType::kFloat64, BytesOf(actual), DType::kFloat8E4M3,
      static_cast<int64_t>(actual.size()), {0, 0.0625}, 0);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->wrong, 1);
  EXPECT_EQ(wrong->first_wrong, 2);
}

// The largest float16 is 65504, and 65520 is half way to the next.
TEST_F(KernelsTest, WhatATypeCannotHoldIsInfiniteInIt) {
  std::vector<double> expected{-198100, 65520, 198100, 65519, 1};
  std::vector<uint16_t> actual{0xfc00, 0x7c00, 0xfc00, 0x7c00, 0x7c00};
  const auto tally = kernels_->Compare(
      BytesOf(expected), DType::kFloat64, BytesOf(actual), DType::kFloat16,
      static_cast<int64_t>(actual.size()), {1e300, 1e300}, 0);
  ASSERT_TRUE(tally);
  EXPECT_EQ(tally->wrong, 3);
  EXPECT_EQ(tally->first_wrong, 2);
}

TEST_F(KernelsTest, DifferenceBeyondDoubleIsWrong) {
  const Tally tally =
      Compare<double>(DType::kFloat64, {1e308}, {-1e308}, {0, 1});
  EXPECT_EQ(tally.wrong, 1);
  EXPECT_EQ(tally.nonfinite, 0);
}

TEST_F(KernelsTest, FirstAndWorstNameTheElements) {
  const Tally tally =
      CompareFloats({1, 2, 4, 8, 8}, {1, 2.5f, 4, 10, 6}, {0.25, 0});
  EXPECT_EQ(tally.wrong, 3);
  EXPECT_EQ(tally.first_wrong, 1);
  EXPECT_EQ(tally.worst, 3);  // the earlier of two equal ones
  EXPECT_EQ(tally.worst_error, 2);
  EXPECT_EQ(tally.max_abs_error, 2);
  EXPECT_EQ(tally.max_rel_error, 0.25);
  EXPECT_EQ(tally.sum_sq_error, 0.25 + 4 + 4);
}

TEST_F(KernelsTest, RelativeErrorIsTheLargestQuotient) {
  base::Sequence random(11);
  std::vector<double> expected, actual;
  double largest = 0;
  for (int i = 0; i < 2000; ++i) {
    const double e = std::ldexp(static_cast<double>(random.Below(1000)),
                                static_cast<int>(random.Below(2100)) - 1074);
    expected.push_back(e);
    actual.push_back(e * (1 + 1e-9 * static_cast<double>(random.Below(1000))));
    const double quotient = std::abs(actual.back() - e) / e;
    if (e != 0 && std::isfinite(actual.back()) && quotient > largest)
      largest = quotient;
  }
  EXPECT_EQ(Compare(DType::kFloat64, expected, actual).max_rel_error, largest);
}

TEST_F(KernelsTest, IntegersAreExactWhateverTheTolerance) {
  const Tolerance huge{1e9, 1e9};
  EXPECT_EQ(Compare<int32_t>(DType::kInt32, {5, 6}, {5, 7}, huge).wrong, 1);
  const int64_t large = int64_t{1} << 60;
  const Tally tally =
      Compare<int64_t>(DType::kInt64, {large}, {large + 1}, huge);
  EXPECT_EQ(tally.wrong, 1);
  EXPECT_EQ(tally.worst_error, 1);
  EXPECT_EQ(Compare<int8_t>(DType::kInt8, {-128}, {127}, huge).worst_error,
            255);
  EXPECT_EQ(Compare<uint8_t>(DType::kUInt8, {0}, {255}, huge).worst_error, 255);
  EXPECT_EQ(Compare<int16_t>(DType::kInt16, {-1}, {-1}, huge).wrong, 0);
}

TEST_F(KernelsTest, BoolMustBeZeroOrOne) {
  const Tally tally =
      Compare<uint8_t>(DType::kBool, {0, 1, 1, 2, 0}, {0, 1, 2, 2, 1});
  EXPECT_EQ(tally.wrong, 3);
  EXPECT_EQ(tally.first_wrong, 2);
}

TEST_F(KernelsTest, PoisonIsRecognisedForEveryType) {
  constexpr int64_t kElements = 10001;
  for (const DType dtype : kAll) {
    SCOPED_TRACE(record::DTypeName(dtype));
    const size_t size = record::DTypeSize(dtype);
    std::vector<std::byte> expected(kElements * size), actual(kElements * size);
    ASSERT_TRUE(kernels_->Poison(actual.data(), dtype, kElements, 99));
    const auto all = kernels_->Compare(expected.data(), dtype, actual.data(),
                                       dtype, kElements, kExact, 99);
    EXPECT_EQ(all->unwritten, kElements);
    // One element written.
    std::memset(actual.data() + 77 * size, 0, size);
    const auto most = kernels_->Compare(expected.data(), dtype, actual.data(),
                                        dtype, kElements, kExact, 99);
    EXPECT_EQ(most->unwritten, kElements - 1);
    // With a wrong seed only chance agrees: 1 in 120 for bfloat16.
    const auto other = kernels_->Compare(expected.data(), dtype, actual.data(),
                                         dtype, kElements, kExact, 98);
    EXPECT_LT(other->unwritten, kElements / 50);
  }
}

TEST_F(KernelsTest, PoisonNeverPassesForAFloatingResult) {
  for (const DType dtype : kAll) {
    if (!record::IsFloating(dtype)) continue;
    std::vector<std::byte> expected(8000), actual(8000);
    ASSERT_TRUE(kernels_->Poison(actual.data(), dtype, 1000, 5));
    const auto tally = kernels_->Compare(expected.data(), dtype, actual.data(),
                                         dtype, 1000, Tolerance{kInf, kInf}, 5);
    EXPECT_EQ(tally->wrong, 1000);
    EXPECT_EQ(tally->nonfinite, 1000);
  }
}

TEST_F(KernelsTest, PoisonDoesNotDependOnWhereTheBufferLies) {
  std::vector<std::byte> a(1024), b(1024);
  ASSERT_TRUE(kernels_->Poison(a.data(), DType::kFloat32, 200, 5));
  ASSERT_TRUE(kernels_->Poison(b.data() + 4, DType::kFloat32, 200, 5));
  EXPECT_EQ(std::memcmp(a.data(), b.data() + 4, 800), 0);
}

// The values as elements of a floating type.
std::vector<std::byte> Rounded(DType dtype, const std::vector<double>& values) {
  std::vector<std::byte> bytes;
  WithElement(dtype, [&](auto type) {
    using T = decltype(type);
    if constexpr (T::kFloating) {
      bytes.resize(values.size() * sizeof(typename T::Bits));
      for (size_t i = 0; i < values.size(); ++i) {
        const auto bits = T::Round(values[i]);
        std::memcpy(&bytes[i * sizeof(bits)], &bits, sizeof(bits));
      }
    }
  });
  return bytes;
}

TEST_F(KernelsTest, LeastToleranceIsTheOneThatJustAccepts) {
  // 0.5 / (1 + 0), 0, 1 / (1 + 3); infinity where both are is no error.
  std::vector<float> expected = {0, 1, -3, static_cast<float>(kInf)};
  std::vector<float> actual = {0.5, 1, -2, static_cast<float>(kInf)};
  const auto compare = [&](double tolerance) {
    return *kernels_->Compare(BytesOf(expected), DType::kFloat32,
                              BytesOf(actual), DType::kFloat32, 4,
                              {tolerance, tolerance}, 0);
  };
  EXPECT_EQ(compare(0).least_tolerance, 0.5);
  EXPECT_EQ(compare(0.5).wrong, 0);
  EXPECT_EQ(compare(0.499).wrong, 1);
}

TEST_F(KernelsTest, FloatingResultsCompareWithFloat64References) {
  std::vector<double> expected = {1, 0.1, -2, 65504};
  for (const DType dtype :
       {DType::kFloat16, DType::kBFloat16, DType::kFloat32}) {
    SCOPED_TRACE(record::DTypeName(dtype));
    const std::vector<std::byte> actual = Rounded(dtype, expected);
    const auto compare = [&](Tolerance tolerance) {
      return *kernels_->Compare(BytesOf(expected), DType::kFloat64,
                                actual.data(), dtype, 4, tolerance, 0);
    };
    EXPECT_EQ(compare({0, 0.01}).wrong, 0);
    EXPECT_EQ(compare(kExact).first_wrong, 1);
  }
}

TEST_F(KernelsTest, MixedPairsOfTypesAreRefused) {
  std::vector<std::byte> data(8);
  for (const auto& [expected, actual] :
       {std::pair{DType::kFloat32, DType::kFloat16},
        std::pair{DType::kFloat64, DType::kInt32},
        std::pair{DType::kInt32, DType::kInt64}})
    EXPECT_FALSE(kernels_->Compare(data.data(), expected, data.data(), actual,
                                   1, kExact, 0));
}

// Every field but the sums, which may differ in rounding.
void ExpectSame(const Tally& a, const Tally& b) {
  EXPECT_EQ(a.elements, b.elements);
  EXPECT_EQ(a.wrong, b.wrong);
  EXPECT_EQ(a.nonfinite, b.nonfinite);
  EXPECT_EQ(a.unwritten, b.unwritten);
  EXPECT_EQ(a.zeros, b.zeros);
  EXPECT_EQ(a.max_abs_error, b.max_abs_error);
  EXPECT_EQ(a.max_rel_error, b.max_rel_error);
  EXPECT_EQ(a.least_tolerance, b.least_tolerance);
  EXPECT_EQ(a.min_actual, b.min_actual);
  EXPECT_EQ(a.max_actual, b.max_actual);
  EXPECT_EQ(a.first_wrong, b.first_wrong);
  EXPECT_EQ(a.worst, b.worst);
  EXPECT_EQ(a.worst_error, b.worst_error);
  EXPECT_DOUBLE_EQ(a.sum_sq_error, b.sum_sq_error);
  EXPECT_DOUBLE_EQ(a.sum_sq_expected, b.sum_sq_expected);
}

TEST(Tally, MergingIsAssociativeAndHasAnIdentity) {
  base::Sequence random(8);
  const auto draw = [&] {
    Tally tally;
    tally.elements = static_cast<int64_t>(random.Below(100));
    tally.zeros = static_cast<int64_t>(random.Below(10));
    tally.max_abs_error = static_cast<double>(random.Below(5));
    tally.max_rel_error = static_cast<double>(random.Below(5));
    tally.min_actual = static_cast<double>(random.Below(5)) - 9;
    tally.max_actual = static_cast<double>(random.Below(5));
    if (random.Below(2) == 0) {
      tally.wrong = 1 + static_cast<int64_t>(random.Below(9));
      tally.first_wrong = static_cast<int64_t>(random.Below(4));
      tally.worst = tally.first_wrong + static_cast<int64_t>(random.Below(4));
      tally.worst_error = static_cast<double>(random.Below(3));
    }
    tally.sum_sq_error = static_cast<double>(random.Below(100));
    return tally;
  };
  const auto sum = [](Tally a, const Tally& b) {
    a.Merge(b);
    return a;
  };
  for (int i = 0; i < 2000; ++i) {
    const Tally a = draw(), b = draw(), c = draw();
    ExpectSame(sum(sum(a, b), c), sum(a, sum(b, c)));
    ExpectSame(sum(a, b), sum(b, a));
    ExpectSame(sum(a, Tally{}), a);
    ExpectSame(sum(Tally{}, a), a);
  }
}

TEST(Tally, TiesGoToTheEarlierElement) {
  Tally early, late;
  early.worst = early.first_wrong = 3;
  late.worst = late.first_wrong = 5;
  early.worst_error = late.worst_error = 2;
  Tally forward = early, backward = late;
  forward.Merge(late);
  backward.Merge(early);
  ExpectSame(forward, early);
  ExpectSame(backward, early);
}

// What says less says the same.
TEST_F(KernelsTest, CountWrongAndErrorsAreThoseOfTheTally) {
  constexpr int64_t kElements = 1003;
  const record::Tolerance tolerance{0.25, 0.01};
  for (const DType dtype : kAll) {
    for (const DType wide : {dtype, DType::kFloat64}) {
      if (wide != dtype && !record::IsFloating(dtype)) continue;
      std::vector<std::byte> expected(kElements * record::DTypeSize(wide));
      std::vector<std::byte> actual(kElements * record::DTypeSize(dtype));
      // Any bits: infinite ones, NaNs and bools that are none among them.
      ASSERT_TRUE(kernels_->Poison(expected.data(), DType::kInt64,
                                   std::ssize(expected) / 8, 3));
      ASSERT_TRUE(kernels_->Poison(actual.data(), DType::kInt64,
                                   std::ssize(actual) / 8, 3));
      ASSERT_TRUE(kernels_->Poison(actual.data(), DType::kInt64,
                                   std::ssize(actual) / 16, 4));
      const auto tally = kernels_->Compare(expected.data(), wide, actual.data(),
                                           dtype, kElements, tolerance, 1);
      const auto wrong = kernels_->CountWrong(
          expected.data(), wide, actual.data(), dtype, kElements, tolerance);
      const auto errors = kernels_->MeasureErrors(
          expected.data(), wide, actual.data(), dtype, kElements);
      ASSERT_TRUE(tally && wrong && errors);
      EXPECT_EQ(*wrong, static_cast<uint64_t>(tally->wrong));
      EXPECT_EQ(errors->sum_sq_expected, tally->sum_sq_expected);
      if (record::IsFloating(dtype)) {
        EXPECT_EQ(errors->max_abs_error, tally->max_abs_error);
      }
    }
  }
}

TEST_F(KernelsTest, AnElementMayErrByItsSlackBesides) {
  const std::vector<double> expected = {1, 100, -4, 0, 2, INFINITY};
  const auto of = [](const std::vector<float>& values) {
    std::vector<uint16_t> bits;
    for (const float value : values)
      bits.push_back(kernels::FloatToBFloat(value));
    return bits;
  };
  std::vector<float> slack(expected.size(), -1);
  const auto widen = [&](const std::vector<float>& moved, bool anew) {
    auto bits = of(moved);
    auto exact = expected;
    EXPECT_TRUE(kernels_->Widen(BytesOf(exact), BytesOf(bits), DType::kBFloat16,
                                std::ssize(exact), 4, anew, BytesOf(slack)));
  };
  widen({1.5, 101, -4, 0, 2, 1}, true);
  EXPECT_EQ(slack, (std::vector<float>{2, 4, 0, 0, 0, INFINITY}));
  widen({1, 102, -4.25, 0, INFINITY, 1}, false);
  EXPECT_EQ(slack, (std::vector<float>{2, 8, 1, 0, INFINITY, INFINITY}));

  const auto beyond = [&](const std::vector<float>& actual,
                          Tolerance tolerance) {
    auto bits = of(actual);
    auto exact = expected;
    return kernels_
        ->CompareBeyond(BytesOf(exact), BytesOf(bits), DType::kBFloat16,
                        std::ssize(exact), tolerance, BytesOf(slack))
        .value_or(Tally());
  };
  EXPECT_EQ(beyond({3, 92, -3, 0, 99, 7}, kExact).wrong, 0);
  EXPECT_EQ(beyond({3, 92, -3, 0.5, 99, 7}, {0.5, 0}).wrong, 0);
  EXPECT_EQ(beyond({3, 110, -3, 0, 99, 7}, {0, 0.02}).wrong, 0);
  const Tally tally = beyond({5, 112, -3, 0.5, 99, NAN}, kExact);
  EXPECT_EQ(tally.elements, 6);
  EXPECT_EQ(tally.wrong, 3);
  EXPECT_EQ(tally.first_wrong, 0);
  EXPECT_EQ(tally.worst, 1);
  EXPECT_EQ(tally.worst_error, 12 - 8);
  EXPECT_FALSE(kernels_->CompareBeyond(nullptr, nullptr, DType::kFloat64, 0,
                                       kExact, nullptr));
}

TEST_F(KernelsTest, AnElementOf32BitsMayErrByItsSlackBesides) {
  std::vector<double> exact = {1, -1, 8};
  std::vector<float> moved = {1.5, -1, 8}, slack(3), actual = {2, -2, 8};
  EXPECT_TRUE(kernels_->Widen(BytesOf(exact), BytesOf(moved), DType::kFloat32,
                              3, 2, true, BytesOf(slack)));
  EXPECT_EQ(slack, (std::vector<float>{1, 0, 0}));
  const auto tally =
      kernels_->CompareBeyond(BytesOf(exact), BytesOf(actual), DType::kFloat32,
                              3, kExact, BytesOf(slack));
  ASSERT_TRUE(tally);
  EXPECT_EQ(tally->wrong, 1);
  EXPECT_EQ(tally->first_wrong, 1);
}

// Finite ones by themselves, and where one among them is not.
TEST_F(KernelsTest, CountWrongOfFiniteValuesIsThatOfTheTally) {
  constexpr int64_t kElements = 1603;
  std::vector<float> expected(kElements, 1), actual(kElements, 1);
  for (size_t i = 0; i < kElements; i += 7)
    actual[i] += 1e-3f * static_cast<float>(i % 5);
  const auto count = [&](double atol) {
    const auto* const e = reinterpret_cast<const std::byte*>(expected.data());
    const auto* const a = reinterpret_cast<const std::byte*>(actual.data());
    const auto tally = kernels_->Compare(e, DType::kFloat32, a, DType::kFloat32,
                                         kElements, {atol, 0.0}, 1);
    const auto wrong = kernels_->CountWrong(
        e, DType::kFloat32, a, DType::kFloat32, kElements, {atol, 0.0});
    EXPECT_EQ(*wrong, static_cast<uint64_t>(tally->wrong));
    return *wrong;
  };
  EXPECT_EQ(count(2.5e-3), 91u);  // of 229, about two in five
  EXPECT_EQ(count(std::nan("")), static_cast<uint64_t>(kElements));
  actual[600] = std::numeric_limits<float>::infinity();
  actual[1602] = std::nanf("");
  EXPECT_EQ(count(2.5e-3), 93u);
  expected[1602] = std::nanf("");
  EXPECT_EQ(count(2.5e-3), 92u);
}

TEST_F(KernelsTest, CountDifferentFindsEveryByte) {
  std::vector<std::byte> a(1003), b(1003);
  EXPECT_EQ(*kernels_->CountDifferent(a.data(), b.data(), a.size()), 0u);
  for (const size_t place : {0, 7, 8, 500, 501, 1000, 1002})
    b[place] = std::byte{0x80};
  EXPECT_EQ(*kernels_->CountDifferent(a.data(), b.data(), a.size()), 7u);
  EXPECT_EQ(*kernels_->CountDifferent(a.data(), b.data(), 0), 0u);
  EXPECT_EQ(*kernels_->CountDifferent(a.data() + 1, b.data() + 1, 7), 1u);
  const std::vector<Kernels::Pair> pairs{{a.data(), b.data(), a.size()},
                                         {a.data(), a.data(), a.size()},
                                         {a.data(), b.data(), 0},
                                         {a.data() + 1, b.data() + 1, 7}};
  EXPECT_EQ(*kernels_->CountDifferent(pairs),
            (std::vector<uint64_t>{7, 0, 0, 1}));
}

// What became of 0.75 in each element from the third one on.
template <typename T>
void ExpectSpread(const std::vector<typename T::Bits>& data) {
  std::set<double> scales;
  int negative = 0, outliers = 0;
  for (size_t i = 3; i < data.size(); ++i) {
    const double factor = T::Value(data[i]) / 0.75;
    scales.insert(std::abs(factor));
    negative += factor < 0;
    outliers += std::abs(factor) > 16;
  }
  const auto elements = static_cast<double>(data.size());
  EXPECT_NEAR(negative, elements / 2, elements / 100);
  EXPECT_GT(outliers, 10);
  EXPECT_LT(outliers, elements / 500);
  EXPECT_EQ(*scales.begin(), 1.0 / 64);
  EXPECT_EQ(*scales.rbegin(), 1024);
  EXPECT_EQ(scales.size(), 17u);  // 2^-6 .. 2^10
}

// Calls function(dtype, its element) for each floating type.
template <typename Function>
void ForEachFloating(Function&& function) {
  for (const DType dtype : kAll) {
    SCOPED_TRACE(record::DTypeName(dtype));
    WithElement(dtype, [&](auto type) {
      if constexpr (decltype(type)::kFloating) function(dtype, type);
    });
  }
}

// The rule of a mixed input in plain words, one element at a time.
template <typename T>
double MixedByRule(double value, uint64_t seed, int64_t i) {
  const auto place = static_cast<uint64_t>(i);
  const uint64_t own = kernels::Draw(seed, place);
  const auto scale = static_cast<int>(kernels::Draw(~seed, place / 128) % 11);
  const int exponent = scale - 6 + ((own >> 1) % 1024 == 0 ? 6 : 0);
  const double factor = (own % 2 == 1 ? -1 : 1) * std::ldexp(1.0, exponent);
  const double mixed = T::Value(T::Round(value * factor));
  return std::isfinite(mixed) ? mixed : value;
}

TEST_F(KernelsTest, MixFollowsItsRuleElementByElement) {
  constexpr int kElements = 5000;  // 39 scales, and the begin of another one
  constexpr uint64_t kSeed = 11;
  ForEachFloating([&](DType dtype, auto type) {
    using T = decltype(type);
    const std::vector<double> usual{0.75, -3, 0, -0.0, 6e4, 1e-7, kInf};
    std::vector<typename T::Bits> data;
    for (int i = 0; i < kElements; ++i)
      data.push_back(T::Round(usual[static_cast<size_t>(i) % 7]));
    const std::vector<typename T::Bits> before = data;
    ASSERT_TRUE(kernels_->Mix(BytesOf(data), dtype, kElements, kSeed));
    for (size_t i = 0; i < data.size(); ++i) {
      const double expected =
          MixedByRule<T>(T::Value(before[i]), kSeed, static_cast<int64_t>(i));
      ASSERT_EQ(data[i], T::Round(expected)) << i;
    }
  });
}

TEST_F(KernelsTest, MixKeepsValuesFiniteWithBothSignsScalesAndOutliers) {
  constexpr int kElements = 100000;
  ForEachFloating([&](DType dtype, auto type) {
    using T = decltype(type);
    std::vector<typename T::Bits> data(kElements, T::Round(0.75));
    data[0] = T::Round(6e4);  // 4 times as much is no float16
    data[1] = T::Round(kInf);
    data[2] = T::Round(0);
    ASSERT_TRUE(kernels_->Mix(BytesOf(data), dtype, kElements, 3));
    EXPECT_TRUE(std::isfinite(T::Value(data[0])));
    EXPECT_EQ(T::Value(data[1]), kInf);
    EXPECT_EQ(T::Value(data[2]), 0);
    ExpectSpread<T>(data);
  });
}

TEST_F(KernelsTest, MixOfIntegersIsRefused) {
  std::vector<std::byte> data(8);
  EXPECT_FALSE(kernels_->Mix(data.data(), DType::kInt32, 1, 1));
}

TEST_F(KernelsTest, EvictCacheCanBeRepeated) {
  EXPECT_TRUE(kernels_->EvictCache());
  EXPECT_TRUE(kernels_->EvictCache());
}

}  // namespace
}  // namespace kb::device
