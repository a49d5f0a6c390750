#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kb::base {

// The words that an enum's values have outside of the program, each listed once
// for both directions:
//
//   constexpr base::Words<Size, 2> kSizes{{{Size::kFull, "full"},
//                                          {Size::kSmall, "small"}}};
template <typename E, size_t N>
struct Words {
  std::pair<E, const char*> rows[N];

  // "not_set" for a value without a word.
  constexpr const char* Of(E value) const {
    for (const auto& row : rows)
      if (row.first == value) return row.second;
    return "not_set";
  }

  constexpr std::optional<E> Parse(std::string_view word) const {
    for (const auto& row : rows)
      if (word == row.second) return row.first;
    return std::nullopt;
  }

  // "full, small"
  std::string List() const {
    std::string list;
    for (const auto& row : rows)
      list += (list.empty() ? "" : ", ") + std::string(row.second);
    return list;
  }
};

}  // namespace kb::base
