#include "natural_order.h"

#include <algorithm>

namespace kb::problems {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The number that `text` begins with, without leading zeros.
std::string_view LeadingNumber(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, IsDigit);
  std::string_view number =
      text.substr(0, static_cast<size_t>(end - text.begin()));
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool NaturallyLess(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (IsDigit(a.front()) && IsDigit(b.front())) {
      const std::string_view x = LeadingNumber(a);
      const std::string_view y = LeadingNumber(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      a.remove_prefix(static_cast<size_t>(x.data() + x.size() - a.data()));
      b.remove_prefix(static_cast<size_t>(y.data() + y.size() - b.data()));
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;
}

}  // namespace kb::problems
