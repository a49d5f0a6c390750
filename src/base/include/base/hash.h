#pragma once

#include <string>
#include <string_view>

namespace kb::base {

// SHA-256 in lower-case hexadecimal, 64 characters. Content addresses of
// problems, candidates and compiled artefacts.
std::string Sha256(std::string_view bytes);

// Builds one content address from several parts. Each part is preceded by its
// length, so that ("ab", "c") and ("a", "bc") differ.
class KeyBuilder {
 public:
  KeyBuilder& Add(std::string_view part);
  std::string Finish() const { return Sha256(text_); }

 private:
  std::string text_;
};

}  // namespace kb::base
