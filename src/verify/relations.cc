#include "relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stats/summary.h"

namespace kb::verify {
namespace {

using Text = std::optional<std::string>;

// A relation is believed when it explains nearly all wrong elements and spoils
// nearly none of the others: a few may be wrong for a second reason.
constexpr double kExplained = 0.999;
// Fewer wrong elements than this share of all are no relation of the whole.
constexpr double kMinWrongShare = 0.05;

// A relation reproduces values but for one more rounding.
record::Tolerance Loosened(const record::Tolerance& tolerance) {
  const bool exact = tolerance.atol == 0 && tolerance.rtol == 0;
  if (exact) return {0, 1e-9};
  return {2 * tolerance.atol, std::max(2 * tolerance.rtol, 1e-5)};
}

// Counts how far a hypothesis "actual should be `value`" goes.
class Hypothesis {
 public:
  explicit Hypothesis(const Evidence& evidence)
      : evidence_(evidence), tolerance_(Loosened(evidence.window.tolerance)) {}

  void Test(int64_t i, double value) {
    const auto at = static_cast<size_t>(i);
    const bool holds = Within(value, evidence_.window.actual[at], tolerance_);
    ++tested_;
    held_ += holds;
    wrong_tested_ += evidence_.wrong[at];
    wrong_held_ += holds && evidence_.wrong[at] != 0;
  }

  bool Believed() const {
    const auto share = [](int64_t part, int64_t all) {
      return static_cast<double>(part) / static_cast<double>(all);
    };
    return wrong_tested_ > 0 &&
           share(wrong_tested_, tested_) >= kMinWrongShare &&
           share(wrong_held_, wrong_tested_) >= kExplained &&
           share(held_, tested_) >= kExplained;
  }

 private:
  const Evidence& evidence_;
  record::Tolerance tolerance_;
  int64_t tested_ = 0, held_ = 0, wrong_tested_ = 0, wrong_held_ = 0;
};

// Dimensions d and d + 1 exchanged in memory.
bool IsTransposed(const Evidence& evidence, size_t d) {
  const int64_t rows = evidence.window.shape[d];
  const int64_t columns = evidence.window.shape[d + 1];
  const int64_t inner = evidence.steps[d + 1];
  if (rows < 2 || columns < 2 || !evidence.Whole(d) || !evidence.Whole(d + 1))
    return false;
  Hypothesis hypothesis(evidence);
  const int64_t block = rows * columns * inner;
  for (int64_t i = 0; i < evidence.elements; ++i) {
    const int64_t within = i % block;
    const int64_t row = within / inner % rows;
    const int64_t column = within / (inner * rows);
    const int64_t source =
        i - within + (row * columns + column) * inner + within % inner;
    hypothesis.Test(i, evidence.window.expected[static_cast<size_t>(source)]);
  }
  return hypothesis.Believed();
}

Text Transposed(const Evidence& evidence) {
  for (size_t d = evidence.rank(); d-- > 1;)
    if (IsTransposed(evidence, d - 1))
      return fmt::format("transposed: dimensions {} and {} are exchanged",
                         d - 1, d);
  return std::nullopt;
}

// actual[.., i, ..] is expected[.., i + by, ..].
bool IsShifted(const Evidence& evidence, size_t d, int64_t by) {
  const int64_t extent = evidence.window.shape[d];
  if (extent < 4) return false;
  Hypothesis hypothesis(evidence);
  for (int64_t i = 0; i < evidence.elements; ++i) {
    const int64_t source = i / evidence.steps[d] % extent + by;
    if (source < 0 || source >= extent) continue;
    hypothesis.Test(
        i, evidence.window
               .expected[static_cast<size_t>(i + by * evidence.steps[d])]);
  }
  return hypothesis.Believed();
}

Text Shifted(const Evidence& evidence) {
  for (size_t d = evidence.rank(); d-- > 0;)
    for (const int64_t by : {1, -1})
      if (IsShifted(evidence, d, by))
        return fmt::format(
            "off by one: every element is that of the {} index of dimension {}",
            by > 0 ? "next" : "previous", d);
  return std::nullopt;
}

// Least squares over what is finite on both sides.
double Factor(const Evidence& evidence) {
  double products = 0;
  double squares = 0;
  for (size_t i = 0; i < evidence.wrong.size(); ++i) {
    const double expected = evidence.window.expected[i];
    const double actual = evidence.window.actual[i];
    if (!std::isfinite(expected) || !std::isfinite(actual)) continue;
    products += expected * actual;
    squares += expected * expected;
  }
  return squares > 0 ? products / squares : 0;
}

// A factor or an offset that so few numbers fit says nothing where rounding is
// as likely: it would be that of the others too.
bool AreTooFew(const Evidence& evidence) {
  constexpr int64_t kOneIn = 4;
  const int64_t few = std::max<int64_t>(4, evidence.elements / kOneIn);
  constexpr double kMuch = 0.1;
  const record::Tolerance& tolerance = evidence.window.tolerance;
  const bool exact = tolerance.atol == 0 && tolerance.rtol == 0;
  return !exact && evidence.wrong_count < few &&
         std::abs(Factor(evidence) - 1) < kMuch;
}

Text Scaled(const Evidence& evidence) {
  const double factor = Factor(evidence);
  if (factor == 0 || std::abs(factor - 1) < 1e-6 || !std::isfinite(factor))
    return std::nullopt;
  if (AreTooFew(evidence)) return std::nullopt;
  Hypothesis hypothesis(evidence);
  for (int64_t i = 0; i < evidence.elements; ++i)
    hypothesis.Test(i,
                    factor * evidence.window.expected[static_cast<size_t>(i)]);
  if (!hypothesis.Believed()) return std::nullopt;
  if (std::abs(factor + 1) < 1e-3) return "negated: every sign is the other";
  return fmt::format("scaled: {:.6g} times the expected values", factor);
}

Text Moved(const Evidence& evidence) {
  if (AreTooFew(evidence)) return std::nullopt;
  std::vector<double> differences;
  for (size_t i = 0; i < evidence.wrong.size(); ++i) {
    const double difference =
        evidence.window.actual[i] - evidence.window.expected[i];
    if (std::isfinite(difference)) differences.push_back(difference);
  }
  if (differences.empty()) return std::nullopt;
  const auto middle =
      differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::ranges::nth_element(differences, middle);
  const double offset = *middle;
  Hypothesis hypothesis(evidence);
  for (int64_t i = 0; i < evidence.elements; ++i)
    hypothesis.Test(i,
                    evidence.window.expected[static_cast<size_t>(i)] + offset);
  if (offset == 0 || !hypothesis.Believed()) return std::nullopt;
  return fmt::format("a constant offset: {:+.6g} everywhere", offset);
}

// Of more than so many medians, an error is none of the others' kind: normal
// errors stay below 10.
constexpr double kOutlier = 50;

// How far the elements are off whose expected value is finite.
struct Errors {
  // Each over what a value typically is and its own: errors grow with the
  // value, and a mistake in one place stands out all the same.
  std::vector<double> right;
  std::vector<double> wrong;
  double relative = 0;  // of all together, root mean square
};

// Absent where there is no such measure: nothing is finite, or all is zero.
std::optional<Errors> ErrorsOf(const Evidence& evidence) {
  double squared_errors = 0;
  double squared_values = 0;
  int64_t count = 0;
  const Window& window = evidence.window;
  for (size_t i = 0; i < evidence.wrong.size(); ++i) {
    if (!std::isfinite(window.expected[i])) continue;
    const double error = window.actual[i] - window.expected[i];
    if (!std::isfinite(error)) return std::nullopt;
    ++count;
    squared_errors += error * error;
    squared_values += window.expected[i] * window.expected[i];
  }
  if (squared_values == 0) return std::nullopt;
  Errors errors;
  errors.relative = std::sqrt(squared_errors / squared_values);
  const double typical = std::sqrt(squared_values / static_cast<double>(count));
  for (size_t i = 0; i < evidence.wrong.size(); ++i) {
    const double expected = window.expected[i];
    if (!std::isfinite(expected)) continue;
    auto& list = evidence.wrong[i] != 0 ? errors.wrong : errors.right;
    list.push_back(std::abs(window.actual[i] - expected) /
                   (typical + std::abs(expected)));
  }
  return errors;
}

// Errors of similar size everywhere, small against the values: a coarser
// arithmetic rather than a mistake.
Text Coarse(const Evidence& evidence) {
  constexpr size_t kLeast = 16;
  std::optional<Errors> errors = ErrorsOf(evidence);
  if (!errors) return std::nullopt;
  const double relative = errors->relative;
  std::vector<double> all = std::move(errors->right);
  all.insert(all.end(), errors->wrong.begin(), errors->wrong.end());
  if (all.size() >= kLeast) {
    const double largest = std::ranges::max(all);
    const double middle = stats::Median(std::move(all));
    if (middle == 0 || largest > kOutlier * middle) return std::nullopt;
  } else if (!AreTooFew(evidence)) {
    return std::nullopt;
  }
  // Half a unit in the last place: TF32 and FP16 2^-11, BF16 2^-8; sums of
  // such products keep the order of magnitude.
  if (relative > 0.03) return std::nullopt;
  const char* guess = relative > 1.5e-3 ? "looks like BF16 arithmetic"
                      : relative > 2e-5
                          ? "looks like TF32 or FP16 arithmetic"
                          : "rounding, or another order of summation";
  return fmt::format("small errors everywhere (about {:.1g} of the values): {}",
                     relative, guess);
}

}  // namespace

bool StandOut(const Evidence& evidence) {
  std::optional<Errors> errors = ErrorsOf(evidence);
  if (!errors || errors->wrong.empty()) return true;
  // What a ReLU has cut off is exact in any arithmetic.
  std::erase(errors->right, 0.0);
  constexpr double kLeastShare = 0.05;
  const auto differ = static_cast<double>(errors->right.size());
  if (differ == 0 ||
      differ < kLeastShare * static_cast<double>(evidence.elements))
    return true;
  return stats::Median(std::move(errors->wrong)) >
         kOutlier * stats::Median(std::move(errors->right));
}

Text Relation(const Evidence& evidence) {
  for (const auto detect : {Transposed, Shifted, Scaled, Moved, Coarse})
    if (Text text = detect(evidence)) return text;
  return std::nullopt;
}

}  // namespace kb::verify
