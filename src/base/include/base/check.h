#pragma once

namespace kb::base {

// Prints the failed condition and aborts.
[[noreturn]] void CheckFailed(const char* condition, const char* file,
                              int line);

}  // namespace kb::base

// For mistakes of the programmer only, and on in release builds too. Input is
// checked by code that returns an Error.
#define KB_CHECK(condition)     \
  (static_cast<bool>(condition) \
       ? void(0)                \
       : ::kb::base::CheckFailed(#condition, __FILE__, __LINE__))
