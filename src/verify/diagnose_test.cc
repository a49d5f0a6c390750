#include "verify/diagnose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/random.h"
#include "evidence.h"

namespace kb::verify {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// An output of pseudo-random values in [-1, 1), and a candidate's answer to it.
class Output {
 public:
  explicit Output(std::vector<int64_t> shape) : shape_(std::move(shape)) {
    int64_t count = 1;
    for (const int64_t extent : shape_) count *= extent;
    base::Sequence sequence(1);
    for (int64_t i = 0; i < count; ++i)
      expected_.push_back(
          static_cast<double>(sequence.Below(1 << 20)) / (1 << 19) - 1);
    actual_ = expected_;
    unwritten_.assign(expected_.size(), 0);
  }

  std::vector<double>& expected() { return expected_; }
  std::vector<double>& actual() { return actual_; }
  double& At(int64_t row, int64_t column) {
    return actual_[static_cast<size_t>(row * shape_[1] + column)];
  }

  // actual[i] = change(i, actual[i]) for all i.
  Output& Change(const std::function<double(int64_t, double)>& change) {
    for (size_t i = 0; i < actual_.size(); ++i)
      actual_[i] = change(static_cast<int64_t>(i), actual_[i]);
    return *this;
  }
  // The elements for which `where` holds keep the poison, a NaN.
  Output& Skip(const std::function<bool(int64_t)>& where) {
    for (size_t i = 0; i < actual_.size(); ++i) {
      if (!where(static_cast<int64_t>(i))) continue;
      actual_[i] = kNan;
      unwritten_[i] = 1;
    }
    return *this;
  }

  std::string Said(int64_t max_elements = kMaxWindow) const {
    const auto wrong = [&](size_t i) {
      return !Within(expected_[i], actual_[i], tolerance);
    };
    Window window;
    int64_t first_wrong = -1;
    for (size_t i = 0; i < actual_.size(); ++i) {
      window.wrong_in_all += wrong(i);
      if (first_wrong < 0 && wrong(i)) first_wrong = static_cast<int64_t>(i);
    }
    const WindowPlace place =
        WindowAt(shape_, std::max<int64_t>(first_wrong, 0), max_elements);
    const auto first = static_cast<size_t>(place.first);
    const auto count = static_cast<size_t>(place.elements);
    window.expected = std::span(expected_).subspan(first, count);
    window.actual = std::span(actual_).subspan(first, count);
    window.unwritten = std::span(unwritten_).subspan(first, count);
    window.shape = place.shape;
    window.origin = place.origin;
    window.whole_shape = shape_;
    window.tolerance = tolerance;
    return Pattern(window);
  }

  record::Tolerance tolerance{1e-4, 1e-4};

 private:
  std::vector<int64_t> shape_;
  std::vector<double> expected_;
  std::vector<double> actual_;
  std::vector<uint8_t> unwritten_;
};

TEST(Pattern, NothingWrongIsNothingToSay) {
  EXPECT_EQ(Output({4, 8}).Said(), "");
  EXPECT_EQ(
      Output({4, 8}).Change([](int64_t, double x) { return x + 1e-5; }).Said(),
      "");
}

TEST(Pattern, NothingWritten) {
  EXPECT_EQ(Output({4, 8}).Skip([](int64_t) { return true; }).Said(),
            "nothing was written");
}

TEST(Pattern, AllZeros) {
  EXPECT_EQ(Output({4, 8}).Change([](int64_t, double) { return 0.0; }).Said(),
            "all zeros");
}

TEST(Pattern, Constant) {
  EXPECT_EQ(Output({4, 8}).Change([](int64_t, double) { return 0.5; }).Said(),
            "the constant 0.5 everywhere");
}

TEST(Pattern, NanEverywhere) {
  EXPECT_EQ(Output({4, 8}).Change([](int64_t, double) { return kNan; }).Said(),
            "NaN everywhere");
}

TEST(Pattern, NanSomewhereIsCounted) {
  EXPECT_EQ(Output({100, 10})
                .Change([](int64_t i, double x) {
                  return i == 17 || i == 438 ? kNan : x;
                })
                .Said(),
            "2 of 1000 elements (0.2 %): NaN");
}

TEST(Pattern, RowColumnAndBatch) {
  const auto broken = [](int64_t dimension, int64_t index) {
    constexpr int64_t kShape[] = {3, 5, 7};
    constexpr int64_t kSteps[] = {35, 7, 1};
    return Output({3, 5, 7})
        .Change([=](int64_t i, double x) {
          return i / kSteps[dimension] % kShape[dimension] == index ? x * x + 2
                                                                    : x;
        })
        .Said();
  };
  EXPECT_EQ(broken(0, 1), "only index 1 of dimension 0 is wrong");
  EXPECT_EQ(broken(1, 4), "only index 4 of dimension 1 is wrong");
  EXPECT_EQ(broken(2, 0), "only index 0 of dimension 2 is wrong");
}

TEST(Pattern, OneElement) {
  Output output({3, 5});
  output.At(2, 3) += 1;
  EXPECT_EQ(output.Said(), "only the element at [2, 3] is wrong");
}

TEST(Pattern, LastTileOfADimension) {
  EXPECT_EQ(Output({16, 1023})
                .Skip([](int64_t i) { return i % 1023 >= 1016; })
                .Said(),
            "elements from index 1016 of dimension 1 on are never written: a "
            "last tile that is not handled?");
}

TEST(Pattern, LastTilesOfTwoDimensions) {
  EXPECT_EQ(Output({70, 70})
                .Change([](int64_t i, double x) {
                  return i / 70 >= 64 || i % 70 >= 64 ? 0 : x;
                })
                .Said(),
            "elements from index 64 of dimension 0 on and from index 64 of "
            "dimension 1 on are zero: a last tile that is not handled?");
}

// Half of the rows and half of the columns have wrong elements: no two tails.
TEST(Pattern, OneTileInTheCorner) {
  EXPECT_EQ(Output({64, 64})
                .Change([](int64_t i, double x) {
                  return i / 64 >= 32 && i % 64 >= 32 ? x * x + 2 : x;
                })
                .Said(),
            "only indices 32 to 63 of dimension 0 with indices 32 to 63 of "
            "dimension 1 are wrong: one tile?");
}

TEST(Pattern, OnlyTheFirstTileOfEachRow) {
  EXPECT_EQ(Output({16, 100})
                .Change([](int64_t i, double x) {
                  return i % 100 >= 32 ? x * x + 2 : x;
                })
                .Said(),
            "elements from index 32 of dimension 1 on are wrong: only a first "
            "tile that is handled?");
}

TEST(Pattern, TailSurvivesElementsThatAreRightByAccident) {
  Output output({64, 40});
  output.Change([](int64_t i, double x) {
    return i % 40 >= 36 && i % 7 != 0 ? x + 3 + x * x : x;
  });
  EXPECT_EQ(output.Said(),
            "elements from index 36 of dimension 1 on are wrong: a last tile "
            "that is not handled?");
}

TEST(Pattern, StartOfADimension) {
  EXPECT_EQ(Output({16, 100})
                .Change([](int64_t i, double x) {
                  return i % 100 < 3 ? x * x + 2 : x;
                })
                .Said(),
            "elements before index 3 of dimension 1 are wrong");
}

TEST(Pattern, OnlyTheFirstPart) {
  EXPECT_EQ(Output({10, 100}).Skip([](int64_t i) { return i >= 256; }).Said(),
            "only the first 256 of 1000 elements are right, what follows is "
            "never written: too few blocks?");
}

TEST(Pattern, FirstPartThatEndsInsideARowIsNoTail) {
  EXPECT_EQ(Output({4, 16})
                .Change([](int64_t i, double x) { return i < 40 ? x : 0; })
                .Said(),
            "only the first 40 of 64 elements are right, what follows is zero: "
            "too few blocks?");
}

TEST(Pattern, Transposed) {
  Output square({8, 8});
  square.Change([&](int64_t i, double) {
    return square.expected()[static_cast<size_t>(i % 8 * 8 + i / 8)];
  });
  EXPECT_EQ(square.Said(), "transposed: dimensions 0 and 1 are exchanged");

  // [2, 3, 5] whose batches lie in memory as [5, 3].
  Output oblong({2, 3, 5});
  oblong.Change([&](int64_t i, double) {
    const int64_t within = i % 15;
    return oblong.expected()[static_cast<size_t>(i - within + within % 3 * 5 +
                                                 within / 3)];
  });
  EXPECT_EQ(oblong.Said(), "transposed: dimensions 1 and 2 are exchanged");
}

TEST(Pattern, OffByOneAlongADimension) {
  Output next({6, 10});
  next.Change([&](int64_t i, double x) {
    return i % 10 == 9 ? x : next.expected()[static_cast<size_t>(i + 1)];
  });
  EXPECT_EQ(next.Said(),
            "off by one: every element is that of the next index of dimension "
            "1");
  Output previous({6, 10});
  previous.Change([&](int64_t i, double) {
    return i < 10 ? 0 : previous.expected()[static_cast<size_t>(i - 10)];
  });
  EXPECT_EQ(previous.Said(),
            "off by one: every element is that of the previous index of "
            "dimension 0");
}

TEST(Pattern, Negated) {
  EXPECT_EQ(Output({8, 8}).Change([](int64_t, double x) { return -x; }).Said(),
            "negated: every sign is the other");
}

TEST(Pattern, Scaled) {
  EXPECT_EQ(
      Output({8, 8}).Change([](int64_t, double x) { return x / 8; }).Said(),
      "scaled: 0.125 times the expected values");
}

// A factor fits whatever a single element is off by.
TEST(Pattern, OneElementIsScaledWhereItIsFarOff) {
  const auto said = [](double factor) {
    Output one({1});
    one.Change([&](int64_t, double x) { return x * factor; });
    return one.Said();
  };
  EXPECT_EQ(said(2), "scaled: 2 times the expected values");
  EXPECT_EQ(said(1.001).find("scaled"), std::string::npos) << said(1.001);
  EXPECT_EQ(said(1.001).find("offset"), std::string::npos) << said(1.001);
  EXPECT_NE(said(1.001).find("small errors"), std::string::npos) << said(1.001);
}

// It would be that of the others too, which are right.
TEST(Pattern, FactorOfSomeElementsIsRounding) {
  Output some({8, 8});
  some.tolerance = {2e-4, 0};
  some.Change([](int64_t i, double x) {
    return x + (i % 8 == 0 ? 3e-4 : 5e-5) * (i % 16 < 8 ? 1 : -1);
  });
  EXPECT_EQ(some.Said().find("scaled"), std::string::npos) << some.Said();
  EXPECT_NE(some.Said().find("small errors"), std::string::npos) << some.Said();
}

TEST(Pattern, Offset) {
  EXPECT_EQ(
      Output({8, 8}).Change([](int64_t, double x) { return x - 0.25; }).Said(),
      "a constant offset: -0.25 everywhere");
}

TEST(Pattern, OffsetOfExactIndices) {
  Output output({8, 8});
  output.tolerance = {0, 0};
  for (double& x : output.expected()) x = std::floor(100 * x);
  output.actual() = output.expected();
  output.Change([](int64_t, double x) { return x + 1; });
  EXPECT_EQ(output.Said(), "a constant offset: +1 everywhere");
}

TEST(Pattern, EveryKthElement) {
  EXPECT_EQ(Output({8, 100})
                .Change([](int64_t i, double x) {
                  return i % 8 == 3 ? x * x + 2 : x;
                })
                .Said(),
            "one element in 8 is wrong: those whose flat index is 3 modulo 8");
  EXPECT_EQ(
      Output({10, 99}).Skip([](int64_t i) { return i % 4 != 0; }).Said(),
      "only one element in 4 is right: those whose flat index is 0 modulo 4");
}

TEST(Pattern, ReducedPrecisionOfTheArithmetic) {
  const auto rounded = [](double to) {
    base::Sequence sequence(5);
    return Output({50, 50})
        .Change([&](int64_t, double x) {
          const double noise =
              static_cast<double>(sequence.Below(1 << 20)) / (1 << 19) - 1;
          return x + noise * to * (0.2 + std::abs(x));
        })
        .Said();
  };
  EXPECT_NE(rounded(1e-3).find("TF32 or FP16"), std::string::npos);
  EXPECT_NE(rounded(1e-2).find("BF16"), std::string::npos);
  EXPECT_EQ(rounded(0.3).find("small errors"), std::string::npos);
}

TEST(Pattern, ScatteredNansLookLikeAnOverflow) {
  base::Sequence sequence(9);
  Output output({100, 100});
  for (int k = 0; k < 20; ++k)
    output.actual()[sequence.Below(10000)] = std::nan("");
  output.actual()[5] += 1;
  EXPECT_NE(output.Said().find("of them NaN: an overflow?"), std::string::npos)
      << output.Said();
}

TEST(Pattern, ScatteredElementsLookLikeARace) {
  base::Sequence sequence(9);
  Output output({100, 100});
  for (int k = 0; k < 20; ++k)
    output.actual()[sequence.Below(10000)] += 0.5 + 0.1 * k;
  EXPECT_EQ(output.Said(),
            "scattered: 20 of 10000 elements (0.2 %) wrong: a race?");
}

// A product whose factors have the ten bits of TF32 and then a ReLU, as PyTorch
// compiles it: a kernel without any race, of which few elements are beyond the
// tolerance.
TEST(Pattern, RoundedProductsAreNoRace) {
  constexpr int kInner = 64;
  const auto tf32 = [](double x) {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(mantissa, 11)), exponent - 11);
  };
  base::Sequence sequence(45);
  const auto factor = [&] {
    return static_cast<double>(sequence.Below(1 << 20)) / (1 << 19) - 1;
  };
  Output output({100, 100});
  output.tolerance = {1.5e-3, 1.5e-3};
  for (size_t i = 0; i < output.actual().size(); ++i) {
    double exact = 0;
    double rounded = 0;
    for (int k = 0; k < kInner; ++k) {
      const double a = factor();
      const double b = factor();
      exact += a * b;
      rounded += tf32(a) * tf32(b);
    }
    // One in a hundred is a thousand times as small, as after a softmax.
    const double scale = i % 100 == 0 ? 1e-3 : 1;
    output.expected()[i] = scale * std::max(0.0, exact);
    output.actual()[i] = scale * std::max(0.0, rounded);
  }
  const std::string said = output.Said();
  EXPECT_NE(said.find("scattered"), std::string::npos) << said;
  EXPECT_NE(said.find("rounding?"), std::string::npos) << said;
  // Beside the rounding, values that another thread has overwritten.
  output.tolerance = {1e-2, 1e-2};
  for (int k = 0; k < 20; ++k)
    output.actual()[sequence.Below(10000)] += 5 + 0.1 * k;
  EXPECT_NE(output.Said().find("a race?"), std::string::npos);
}

TEST(Pattern, WithoutPatternTheShareIsSaid) {
  base::Sequence sequence(9);
  Output output({100, 100});
  output.Change([&](int64_t, double x) {
    return sequence.Below(2) == 0
               ? x
               : x + static_cast<double>(sequence.Below(1000) + 1);
  });
  EXPECT_NE(output.Said().find("without a simple pattern"), std::string::npos);
  output.Change([&](int64_t, double) {
    return 5 + static_cast<double>(sequence.Below(1000));
  });
  EXPECT_EQ(output.Said(), "every element is wrong");
}

TEST(Pattern, InfinityThatIsExpectedIsRight) {
  Output output({4, 10});
  output.expected()[7] = output.actual()[7] = kInf;
  output.expected()[9] = output.actual()[9] = kNan;
  output.At(3, 3) = -kInf;
  EXPECT_EQ(output.Said(), "only the element at [3, 3] is wrong");
}

TEST(Pattern, WindowBeginsWhereTheErrorsAre) {
  // Row 40 of 100 is wrong; 10 rows fit into the window.
  const std::string said = Output({100, 10})
                               .Change([](int64_t i, double x) {
                                 return i / 10 == 40 ? 2 + x * x : x;
                               })
                               .Said(100);
  EXPECT_EQ(said,
            "only index 40 of dimension 0 is wrong (seen in 100 of 1000 "
            "elements, from [40, 0] on)");
}

TEST(Pattern, WindowDoesNotGuessBeyondItself) {
  // Everything from row 40 on is wrong, the window ends with row 49.
  const std::string said = Output({100, 10})
                               .Change([](int64_t i, double x) {
                                 return i / 10 >= 40 ? 2 + x * x : x;
                               })
                               .Said(100);
  EXPECT_EQ(said.find("last tile"), std::string::npos) << said;
  EXPECT_NE(said.find("from [40, 0] on"), std::string::npos) << said;
}

TEST(Pattern, WindowDoesNotClaimWhatLiesOutside) {
  const auto broken = [](const std::function<bool(int64_t)>& row) {
    return Output({100, 10})
        .Change(
            [&](int64_t i, double x) { return row(i / 10) ? 2 + x * x : x; })
        .Said(100);
  };
  // Row 90 is wrong as well, and out of sight.
  EXPECT_EQ(
      broken([](int64_t row) { return row == 40 || row == 90; }).find("only"),
      std::string::npos);
  // The window begins with row 40; the rows before it are right.
  const std::string said =
      broken([](int64_t row) { return row >= 40 && row < 43; });
  EXPECT_EQ(said.find("before"), std::string::npos) << said;
  EXPECT_EQ(said.find("only indices 40 to 42 of dimension 0"), 0u) << said;
}

TEST(WindowAt, TakesEverythingThatFits) {
  const WindowPlace place = WindowAt({3, 4}, 7, 12);
  EXPECT_EQ(place.shape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(place.first, 0);
  EXPECT_EQ(place.elements, 12);
}

TEST(WindowAt, BeginsWithTheRowAndEndsWithTheOutput) {
  // Rows of 5; 15 elements are three rows.
  WindowPlace place = WindowAt({10, 5}, 22, 15);
  EXPECT_EQ(place.origin, (std::vector<int64_t>{4, 0}));
  EXPECT_EQ(place.shape, (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(place.first, 20);
  place = WindowAt({10, 5}, 49, 15);
  EXPECT_EQ(place.origin, (std::vector<int64_t>{7, 0}));
  EXPECT_EQ(place.first, 35);
  EXPECT_EQ(place.elements, 15);
}

TEST(WindowAt, GoesInsideARowThatIsTooLong) {
  const WindowPlace place = WindowAt({4, 6, 10}, 60 + 35, 20);
  EXPECT_EQ(place.origin, (std::vector<int64_t>{1, 3, 0}));
  EXPECT_EQ(place.shape, (std::vector<int64_t>{1, 2, 10}));
  EXPECT_EQ(place.first, 90);
  EXPECT_EQ(place.elements, 20);
}

}  // namespace
}  // namespace kb::verify
