#include "regions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace kb::verify {
namespace {

using Text = std::optional<std::string>;

// How many elements are wrong at each index of one dimension.
std::vector<int64_t> CountsAlong(const Evidence& evidence, size_t d) {
  const int64_t extent = evidence.window.shape[d];
  std::vector<int64_t> counts(static_cast<size_t>(extent));
  for (int64_t i = 0; i < evidence.elements; ++i)
    counts[static_cast<size_t>(i / evidence.steps[d] % extent)] +=
        evidence.wrong[static_cast<size_t>(i)];
  return counts;
}

int64_t IndexIn(const Evidence& evidence, size_t d, size_t i) {
  return evidence.window.origin[d] + static_cast<int64_t>(i);
}

Text OneElement(const Evidence& evidence, const std::string& what) {
  if (evidence.wrong_count != 1 || !evidence.complete || evidence.elements < 2)
    return std::nullopt;
  int64_t place = std::ranges::find(evidence.wrong, 1) - evidence.wrong.begin();
  std::vector<int64_t> index(evidence.rank());
  for (size_t d = 0; d < evidence.rank(); ++d) {
    index[d] = evidence.window.origin[d] + place / evidence.steps[d];
    place %= evidence.steps[d];
  }
  return fmt::format("only the element at [{}] is {}", fmt::join(index, ", "),
                     what);
}

// One row, one column, one batch: one index of some dimensions.
Text OneIndex(const Evidence& evidence, const std::string& what) {
  std::vector<std::string> places;
  for (size_t d = 0; d < evidence.rank(); ++d) {
    if (evidence.window.whole_shape[d] < 2) continue;
    if (!evidence.complete && !evidence.Whole(d)) continue;
    const std::vector<int64_t> counts = CountsAlong(evidence, d);
    if (std::ranges::count_if(counts, [](int64_t n) { return n > 0; }) != 1)
      continue;
    const auto at =
        std::ranges::find_if(counts, [](int64_t n) { return n > 0; });
    places.push_back(fmt::format(
        "index {} of dimension {}",
        IndexIn(evidence, d, static_cast<size_t>(at - counts.begin())), d));
  }
  if (places.empty()) return std::nullopt;
  return fmt::format("only {} is {}", fmt::join(places, ", "), what);
}

// Indices [begin, end) of one dimension at which most elements are wrong.
struct Band {
  size_t dimension = 0;
  size_t begin = 0;
  size_t end = 0;
};

// The end (or the start) of a dimension where at least half of the elements
// are wrong at every index; some are right by accident.
Band BandAtEdge(const Evidence& evidence, size_t d, bool at_end) {
  std::vector<int64_t> counts = CountsAlong(evidence, d);
  if (at_end) std::ranges::reverse(counts);
  const int64_t enough = (evidence.elements / evidence.window.shape[d] + 1) / 2;
  size_t length = 0;
  while (length < counts.size() &&
         counts[length] >= std::max<int64_t>(enough, 1))
    ++length;
  if (at_end) return {d, counts.size() - length, counts.size()};
  return {d, 0, length};
}

// The wrong elements are the bands: all of them and most of these.
bool AreTheBands(const Evidence& evidence, const std::vector<Band>& bands) {
  int64_t covered = 0;
  for (int64_t i = 0; i < evidence.elements; ++i) {
    const bool inside = std::ranges::any_of(bands, [&](const Band& band) {
      const auto at =
          static_cast<size_t>(i / evidence.steps[band.dimension] %
                              evidence.window.shape[band.dimension]);
      return at >= band.begin && at < band.end;
    });
    covered += inside;
    if (!inside && evidence.wrong[static_cast<size_t>(i)] != 0) return false;
  }
  return 4 * evidence.wrong_count >= 3 * covered;
}

// Bands at one edge, of all dimensions in which there is one.
std::vector<Band> BandsAtEdge(const Evidence& evidence, bool at_end) {
  std::vector<Band> bands;
  for (size_t d = 0; d < evidence.rank(); ++d) {
    const int64_t edge =
        evidence.window.origin[d] + (at_end ? evidence.window.shape[d] : 0);
    if (edge != (at_end ? evidence.window.whole_shape[d] : 0)) continue;
    const Band band = BandAtEdge(evidence, d, at_end);
    const size_t length = band.end - band.begin;
    if (length > 0 && length < static_cast<size_t>(evidence.window.shape[d]))
      bands.push_back(band);
  }
  return bands;
}

Text Tail(const Evidence& evidence, const std::string& what) {
  const std::vector<Band> bands = BandsAtEdge(evidence, true);
  if (bands.empty() || !AreTheBands(evidence, bands)) return std::nullopt;
  std::vector<std::string> places;
  bool short_tails = true;
  for (const Band& band : bands) {
    places.push_back(fmt::format("index {} of dimension {} on",
                                 IndexIn(evidence, band.dimension, band.begin),
                                 band.dimension));
    const auto whole = evidence.window.whole_shape[band.dimension];
    short_tails &= 2 * static_cast<int64_t>(band.end - band.begin) <= whole;
  }
  return fmt::format("elements from {} are {}: {}",
                     fmt::join(places, " and from "), what,
                     short_tails ? "a last tile that is not handled?"
                                 : "only a first tile that is handled?");
}

Text Head(const Evidence& evidence, const std::string& what) {
  const std::vector<Band> bands = BandsAtEdge(evidence, false);
  if (bands.size() != 1 || !AreTheBands(evidence, bands)) return std::nullopt;
  return fmt::format("elements before index {} of dimension {} are {}",
                     IndexIn(evidence, bands[0].dimension, bands[0].end),
                     bands[0].dimension, what);
}

// One block of indices [begin, end) in every dimension.
Text Block(const Evidence& evidence, const std::string& what) {
  std::vector<std::string> places;
  int64_t volume = 1;
  for (size_t d = 0; d < evidence.rank(); ++d) {
    const std::vector<int64_t> counts = CountsAlong(evidence, d);
    size_t begin = 0;
    size_t end = counts.size();
    while (counts[begin] == 0) ++begin;
    while (counts[end - 1] == 0) --end;
    volume *= static_cast<int64_t>(end - begin);
    const bool known = evidence.complete || evidence.Whole(d);
    if (known && end - begin < counts.size())
      places.push_back(fmt::format("indices {} to {} of dimension {}",
                                   IndexIn(evidence, d, begin),
                                   IndexIn(evidence, d, end - 1), d));
  }
  if (places.empty() || 4 * evidence.wrong_count < 3 * volume)
    return std::nullopt;
  return fmt::format("only {} are {}: one tile?", fmt::join(places, " with "),
                     what);
}

// Right up to a place in memory, wrong from there on.
Text AfterTheStart(const Evidence& evidence, const std::string& what) {
  const auto first =
      std::ranges::find(evidence.wrong, 1) - evidence.wrong.begin();
  const int64_t right = evidence.first + first;
  // A few elements may be right by accident, so a short start says nothing.
  const bool long_start = right >= 32 || 4 * right >= evidence.whole_elements;
  const int64_t rest = evidence.elements - first;
  if (!long_start || 10 * evidence.wrong_count < 9 * rest || rest < 2)
    return std::nullopt;
  return fmt::format(
      "only the first {} of {} elements are right, what follows is {}: too few "
      "blocks?",
      right, evidence.whole_elements, what);
}

// The same, from the middle of a row on: no tail of a dimension.
Text FromAMiddle(const Evidence& evidence, const std::string& what) {
  const auto first =
      std::ranges::find(evidence.wrong, 1) - evidence.wrong.begin();
  for (size_t d = 0; d < evidence.rank(); ++d) {
    if (evidence.window.shape[d] < 2) continue;
    if (first % evidence.steps[d] == 0) return std::nullopt;
    break;
  }
  return AfterTheStart(evidence, what);
}

// The places of elements that are wrong (or right) as first, first + step, ...
struct Progression {
  int64_t step = 0;
  int64_t first = 0;
};
std::optional<Progression> ProgressionOf(const Evidence& evidence,
                                         uint8_t wrong) {
  int64_t first = -1;
  int64_t step = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < evidence.elements; ++i) {
    if (evidence.wrong[static_cast<size_t>(i)] != wrong) continue;
    if (first < 0) first = i;
    step = std::gcd(step, i - first);
    ++count;
    if (step == 1) return std::nullopt;
  }
  // Fewer places may lie so by accident.
  if (count < 4 || 10 * count * step < 9 * (evidence.elements - first))
    return std::nullopt;
  return Progression{step, (evidence.first + first) % step};
}

Text Strided(const Evidence& evidence, const std::string& what) {
  const auto bad = ProgressionOf(evidence, 1);
  if (bad && bad->step > 2)
    return fmt::format(
        "one element in {} is {}: those whose flat index is {} modulo {}",
        bad->step, what, bad->first, bad->step);
  if (const auto good = ProgressionOf(evidence, 0))
    return fmt::format(
        "only one element in {} is right: those whose flat index is {} modulo "
        "{}",
        good->step, good->first, good->step);
  return std::nullopt;
}

}  // namespace

Text Region(const Evidence& evidence, const std::string& what) {
  if (evidence.wrong_count == evidence.elements) return std::nullopt;
  for (const auto detect : {OneElement, OneIndex, FromAMiddle, Tail, Head,
                            Block, AfterTheStart, Strided})
    if (Text text = detect(evidence, what)) return text;
  return std::nullopt;
}

}  // namespace kb::verify
