#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kb::report {

// How many lines two texts differ in, by the shortest way from one to the
// other.
struct LineChange {
  int64_t added = 0;
  int64_t removed = 0;
  bool operator==(const LineChange&) const = default;
};

// None: it takes more steps than the page's script would look for.
std::optional<LineChange> LineChangeOf(std::string_view before,
                                       std::string_view after);

}  // namespace kb::report
