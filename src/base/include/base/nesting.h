#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kb::base {

// Levels that a JSON text may have. What we write has less than 20.
inline constexpr int kMaxJsonDepth = 256;
// Lists and tables of a TOML text that are open at once, and the parts of a key
// (a.b.c has 3). Each part is a level: together less than 5000 of them.
inline constexpr int kMaxTomlDepth = 64;
inline constexpr int kMaxTomlKeyParts = 64;

struct TooDeep {
  int line = 0;
  std::string message;  // without the line
};

// Where a text of JSON or TOML passes these limits. Whoever has it parsed asks
// first: the libraries handle a level within the call that handles the level
// above, so that a hundred thousand brackets would end the program. A text that
// is not valid is followed up to its first mistake.
std::optional<TooDeep> DeepJson(std::string_view text);
std::optional<TooDeep> DeepToml(std::string_view text);

}  // namespace kb::base
