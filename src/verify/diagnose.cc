#include "verify/diagnose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/check.h"
#include "evidence.h"
#include "regions.h"
#include "relations.h"

namespace kb::verify {
namespace {

// Fewer wrong elements than this share, without a region, look accidental.
constexpr double kScatteredShare = 0.05;

// What the wrong elements have in common: "never written", "NaN", "zero",
// "the constant 0.5"; empty: nothing.
std::string CommonValue(const Evidence& evidence) {
  const Window& window = evidence.window;
  bool unwritten = !window.unwritten.empty();
  bool nan = true;
  bool same = true;
  std::optional<double> value;
  for (size_t i = 0; i < evidence.wrong.size(); ++i) {
    if (evidence.wrong[i] == 0) continue;
    if (!value) value = window.actual[i];
    unwritten = unwritten && window.unwritten[i] != 0;
    nan = nan && std::isnan(window.actual[i]);
    same = same && window.actual[i] == *value;
  }
  if (unwritten) return "never written";
  if (nan) return "NaN";
  if (!same) return "";
  if (*value == 0) return "zero";
  // One or two equal numbers are no pattern.
  return evidence.wrong_count > 2 ? fmt::format("the constant {:.6g}", *value)
                                  : "";
}

// Whether all elements, those that count as right too, are like `common`.
bool Everywhere(const Evidence& evidence, const std::string& common) {
  const Window& window = evidence.window;
  const auto all = [&](auto is) {
    return std::ranges::all_of(window.actual, is);
  };
  if (common.empty()) return false;
  if (common == "never written")
    return std::ranges::all_of(window.unwritten,
                               [](uint8_t mark) { return mark != 0; });
  if (common == "NaN") return all([](double x) { return std::isnan(x); });
  return all([&](double x) { return x == window.actual.front(); });
}

std::string EverywhereText(const std::string& common) {
  if (common == "never written") return "nothing was written";
  if (common == "zero") return "all zeros";
  return common + " everywhere";
}

std::string Share(int64_t part, int64_t all) {
  const double percent =
      100 * static_cast<double>(part) / static_cast<double>(all);
  // Two digits, but all that stand before the point.
  return percent < 10
             ? fmt::format("{} of {} elements ({:.2g} %)", part, all, percent)
             : fmt::format("{} of {} elements ({:.0f} %)", part, all, percent);
}

std::string Unexplained(const Evidence& evidence, const std::string& common) {
  const int64_t wrong = evidence.window.wrong_in_all;
  const int64_t all = evidence.whole_elements;
  if (!common.empty()) return fmt::format("{}: {}", Share(wrong, all), common);
  const auto nan = std::ranges::count_if(
      evidence.window.actual, [](double x) { return std::isnan(x); });
  const std::string nans = nan == 0 ? "" : fmt::format(", {} of them NaN", nan);
  if (wrong == all) return fmt::format("every element is wrong{}", nans);
  if (static_cast<double>(wrong) < kScatteredShare * static_cast<double>(all))
    return fmt::format("scattered: {} wrong{}{}", Share(wrong, all), nans,
                       2 * nan > wrong ? ": an overflow?"
                       : StandOut(evidence)
                           ? ": a race?"
                           : ", hardly further off than others: rounding?");
  return fmt::format("{} wrong{}, without a simple pattern", Share(wrong, all),
                     nans);
}

std::string Describe(const Evidence& evidence) {
  const std::string common = CommonValue(evidence);
  if (Everywhere(evidence, common)) return EverywhereText(common);
  if (common.empty())
    if (const auto relation = Relation(evidence)) return *relation;
  const std::string what = common.empty() ? "wrong" : common;
  if (const auto region = Region(evidence, what)) return *region;
  return Unexplained(evidence, common);
}

}  // namespace

WindowPlace WindowAt(const std::vector<int64_t>& whole_shape,
                     int64_t first_wrong, int64_t max_elements) {
  KB_CHECK(first_wrong >= 0 && max_elements > 0);
  WindowPlace place;
  place.shape = whole_shape;
  place.origin.assign(whole_shape.size(), 0);
  place.elements = 1;
  for (const int64_t extent : whole_shape) place.elements *= extent;
  KB_CHECK(first_wrong < place.elements);
  // Narrows the outermost dimensions to the index of the first wrong element
  // until a stretch of rows fits.
  int64_t row = place.elements;
  int64_t rest = first_wrong;
  for (size_t d = 0; place.elements > max_elements; ++d) {
    row /= whole_shape[d];
    const int64_t index = rest / row;
    rest %= row;
    const int64_t rows =
        std::clamp<int64_t>(max_elements / row, 1, whole_shape[d]);
    place.origin[d] = std::min(index, whole_shape[d] - rows);
    place.shape[d] = rows;
    place.first += place.origin[d] * row;
    place.elements = rows * row;
  }
  return place;
}

std::string Pattern(const Window& window) {
  const Evidence evidence(window);
  if (evidence.wrong_count == 0) return "";
  std::string text = Describe(evidence);
  if (evidence.elements == evidence.whole_elements) return text;
  return fmt::format("{} (seen in {} of {} elements, from [{}] on)", text,
                     evidence.elements, evidence.whole_elements,
                     fmt::join(window.origin, ", "));
}

}  // namespace kb::verify
