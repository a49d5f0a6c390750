#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace kb::base {

// Why something of ours did not work. `message` says what was wrong, where, and
// what to do about it; it is shown to a person as it is. A candidate's failure
// is never an Error but a record::Verdict.
class Error {
 public:
  enum class Kind {
    kUsage,    // the user's input is wrong: exit code 2
    kFailure,  // we or the machine failed: exit code 3
  };

  explicit Error(std::string message, Kind kind = Kind::kFailure)
      : message_(std::move(message)), kind_(kind) {}

  const std::string& message() const { return message_; }
  Kind kind() const { return kind_; }

  // Adds what we were doing: "reading x: <message>".
  Error Wrap(const std::string& context) const {
    return Error(context + ": " + message_, kind_);
  }

 private:
  std::string message_;
  Kind kind_;
};

// A value or an Error. Neither side converts silently: a success is the value
// or Ok(), a failure is Fail(...) or Usage(...).
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

// Success of a Result<void>.
inline Result<void> Ok() { return {}; }

template <typename... Args>
tl::unexpected<Error> Fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(
      Error(fmt::format(format, std::forward<Args>(args)...)));
}

// As Fail, for input that the user has to correct.
template <typename... Args>
tl::unexpected<Error> Usage(fmt::format_string<Args...> format,
                            Args&&... args) {
  return tl::unexpected<Error>(Error(
      fmt::format(format, std::forward<Args>(args)...), Error::Kind::kUsage));
}

inline tl::unexpected<Error> Propagate(const Error& error) {
  return tl::unexpected<Error>(error);
}

}  // namespace kb::base

// Returns the error of a Result<void> expression, or goes on.
#define KB_TRY(expression)                                 \
  do {                                                     \
    if (auto kb_try_result = (expression); !kb_try_result) \
      return ::kb::base::Propagate(kb_try_result.error()); \
  } while (false)

#define KB_CONCAT_INNER(a, b) a##b
#define KB_CONCAT(a, b) KB_CONCAT_INNER(a, b)

// KB_ASSIGN(auto x, F()): x is F()'s value, or the function returns its error.
#define KB_ASSIGN(target, expression) \
  KB_ASSIGN_INNER(KB_CONCAT(kb_result_, __LINE__), target, expression)
#define KB_ASSIGN_INNER(name, target, expression)        \
  auto name = (expression);                              \
  if (!name) return ::kb::base::Propagate(name.error()); \
  target = std::move(*name)
