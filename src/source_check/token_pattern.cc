#include "token_pattern.h"

#include <cctype>

namespace kb::source_check {

bool IsIdentifier(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  return std::isalpha(first) != 0 || first == '_' || first >= 0x80;
}

bool TokenPattern::MatchesAt(const std::vector<Token>& tokens,
                             size_t at) const {
  if (at + wanted_.size() > tokens.size()) return false;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const std::string_view text = tokens[at + i].text;
    const bool same =
        wanted_[i].text == "$" ? IsIdentifier(text) : wanted_[i].text == text;
    if (!same) return false;
  }
  return true;
}

std::optional<std::vector<std::string_view>> TokenPattern::IdentifiersAt(
    const std::vector<Token>& tokens, size_t at) const {
  if (!MatchesAt(tokens, at)) return std::nullopt;
  std::vector<std::string_view> identifiers;
  for (size_t i = 0; i < wanted_.size(); ++i)
    if (wanted_[i].text == "$") identifiers.push_back(tokens[at + i].text);
  return identifiers;
}

}  // namespace kb::source_check
