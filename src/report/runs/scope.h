#pragma once

namespace kb::report {

// Which problems a row of scores counts.
enum class Scope { kAll, kSound };

inline const char* ScopeName(Scope scope) {
  return scope == Scope::kAll ? "all" : "sound";
}

}  // namespace kb::report
