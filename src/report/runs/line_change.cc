#include "line_change.h"

#include <algorithm>
#include <vector>

namespace kb::report {
namespace {

constexpr int64_t kMostSteps = 1500;  // MAX_EDITS of book_text.js

// Without the one newline that ends a file.
std::vector<std::string_view> LinesOf(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<std::string_view> lines;
  for (size_t at = 0;;) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return lines;
    at = end + 1;
  }
}

// Leaves what is between the lines that both begin and end with.
void DropCommon(std::vector<std::string_view>* a,
                std::vector<std::string_view>* b) {
  const auto head = std::ranges::mismatch(*a, *b);
  a->erase(a->begin(), head.in1);
  b->erase(b->begin(), head.in2);
  while (!a->empty() && !b->empty() && a->back() == b->back()) {
    a->pop_back();
    b->pop_back();
  }
}

// Myers 1986, "An O(ND) difference algorithm and its variations", the greedy
// form: `reach[k]` is how much of `a` the furthest way with so many steps has
// behind it where that is k lines more than of `b`.
std::optional<int64_t> StepsBetween(const std::vector<std::string_view>& a,
                                    const std::vector<std::string_view>& b) {
  const int64_t most = std::min(kMostSteps, std::ssize(a) + std::ssize(b));
  std::vector<int64_t> reach(static_cast<size_t>(2 * most + 3), 0);
  const auto at = [&](int64_t k) -> int64_t& {
    return reach[static_cast<size_t>(k + most + 1)];
  };
  for (int64_t steps = 0; steps <= most; ++steps)
    for (int64_t k = -steps; k <= steps; k += 2) {
      const bool adds = k == -steps || (k != steps && at(k - 1) < at(k + 1));
      int64_t x = adds ? at(k + 1) : at(k - 1) + 1;
      while (x < std::ssize(a) && x - k < std::ssize(b) &&
             a[static_cast<size_t>(x)] == b[static_cast<size_t>(x - k)])
        ++x;
      at(k) = x;
      if (x >= std::ssize(a) && x - k >= std::ssize(b)) return steps;
    }
  return std::nullopt;
}

}  // namespace

std::optional<LineChange> LineChangeOf(std::string_view before,
                                       std::string_view after) {
  std::vector<std::string_view> a = LinesOf(before);
  std::vector<std::string_view> b = LinesOf(after);
  DropCommon(&a, &b);
  const auto steps = StepsBetween(a, b);
  if (!steps) return std::nullopt;
  const int64_t more = std::ssize(b) - std::ssize(a);
  return LineChange{(*steps + more) / 2, (*steps - more) / 2};
}

}  // namespace kb::report
