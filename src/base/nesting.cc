#include "base/nesting.h"

#include <fmt/format.h>

#include <algorithm>

namespace kb::base {
namespace {

TooDeep At(std::string_view text, size_t at, std::string message) {
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return {1 + static_cast<int>(lines), std::move(message)};
}

TooDeep NestedAt(std::string_view text, size_t at, int limit) {
  return At(text, at,
            fmt::format("brackets are nested more than {} deep, which "
                        "is not read; make it flatter",
                        limit));
}

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  std::optional<TooDeep> Read() {
    while (at_ < text_.size()) {
      Take(text_[at_]);
      if (depth_ > kMaxTomlDepth) return NestedAt(text_, at_, kMaxTomlDepth);
      if (parts_ > kMaxTomlKeyParts)
        return At(text_, at_,
                  fmt::format("a key has more than {} parts, which is not "
                              "read; shorten it",
                              kMaxTomlKeyParts));
    }
    return std::nullopt;
  }

 private:
  void Take(char c) {
    switch (c) {
      case '"':
      case '\'':
        return SkipString(c);
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case '.':
        ++parts_;
        break;
      case '[':
      case '{':
        ++depth_;
        parts_ = 1;
        break;
      case ']':
      case '}':
        --depth_;
        parts_ = 1;
        break;
      case '=':
      case ',':
      case '\n':
        parts_ = 1;
        break;
      default:
        break;
    }
    ++at_;
  }

  void SkipString(char quote) {
    const size_t marks = CountOf(quote);
    if (marks == 2) {
      at_ += 2;
      return;
    }
    const size_t wanted = marks >= 3 ? 3 : 1;
    at_ += wanted;
    while (at_ < text_.size()) {
      if (text_[at_] == quote && CountOf(quote) >= wanted) {
        // Up to two more belong to the string that they end.
        at_ += wanted == 1 ? 1 : std::min<size_t>(CountOf(quote), 5);
        return;
      }
      if (text_[at_] == '\n' && wanted == 1) return;
      at_ += text_[at_] == '\\' && quote == '"' ? 2 : 1;
    }
  }

  // The quotes in a row from here on, as many as can matter.
  size_t CountOf(char quote) const {
    const std::string_view rest = text_.substr(at_, 6);
    return std::min(rest.find_first_not_of(quote), rest.size());
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  int parts_ = 1;
};

}  // namespace

std::optional<TooDeep> DeepJson(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      at += c == '\\' ? 1 : 0;
      continue;
    }
    depth += c == '[' || c == '{' ? 1 : 0;
    depth -= c == ']' || c == '}' ? 1 : 0;
    if (depth > kMaxJsonDepth) return NestedAt(text, at, kMaxJsonDepth);
  }
  return std::nullopt;
}

std::optional<TooDeep> DeepToml(std::string_view text) {
  return TomlReader(text).Read();
}

}  // namespace kb::base
