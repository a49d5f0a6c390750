#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "source_check/source_text.h"

namespace kb::source_check {

// A sequence of tokens to look for, written as code: "torch.cuda.Event =".
// $ stands for any one identifier. Space between tokens does not matter.
class TokenPattern {
 public:
  // `text` must outlive the pattern.
  explicit TokenPattern(std::string_view text) : wanted_(Tokenize(text)) {}

  bool MatchesAt(const std::vector<Token>& tokens, size_t at) const;
  // What stands for each $, in their order; nothing where it does not match.
  std::optional<std::vector<std::string_view>> IdentifiersAt(
      const std::vector<Token>& tokens, size_t at) const;

 private:
  std::vector<Token> wanted_;
};

bool IsIdentifier(std::string_view text);

}  // namespace kb::source_check
