#include "source_check/source_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace kb::source_check {
namespace {

bool IsIdentifier(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Walks over a source and marks what it passes.
class Marker {
 public:
  explicit Marker(std::string_view source)
      : source_(source), kinds_(source.size(), TextKind::kCode) {}

  std::vector<TextKind> Python() {
    while (at_ < source_.size()) {
      if (Peek() == '#') {
        MarkUntil(LineEnd(at_), TextKind::kComment);
      } else if (Peek() == '"' || Peek() == '\'') {
        PythonString();
      } else {
        ++at_;
      }
    }
    return std::move(kinds_);
  }

  std::vector<TextKind> Cpp() {
    while (at_ < source_.size()) {
      if (StartsWith("//")) {
        MarkUntil(ContinuedLineEnd(), TextKind::kComment);
      } else if (StartsWith("/*")) {
        MarkUntil(After(source_.find("*/", at_ + 2), 2), TextKind::kComment);
      } else if (IsRawString()) {
        RawString();
      } else if (Peek() == '"' || Peek() == '\'') {
        MarkUntil(QuotedEnd(at_ + 1, Peek()), TextKind::kString);
      } else if (IsIdentifier(Peek())) {
        Word();
      } else {
        ++at_;
      }
    }
    return std::move(kinds_);
  }

 private:
  char Peek() const { return source_[at_]; }
  bool StartsWith(std::string_view text) const {
    return source_.substr(at_).starts_with(text);
  }
  size_t After(size_t found, size_t length) const {
    return found == std::string_view::npos ? source_.size() : found + length;
  }
  size_t LineEnd(size_t from) const {
    return After(source_.find('\n', from), 0);
  }

  // A backslash before the newline continues a // comment.
  size_t ContinuedLineEnd() const {
    size_t end = LineEnd(at_);
    while (end < source_.size() && source_[end - 1] == '\\')
      end = LineEnd(end + 1);
    return end;
  }

  void MarkUntil(size_t end, TextKind kind) {
    std::fill(kinds_.begin() + static_cast<std::ptrdiff_t>(at_),
              kinds_.begin() + static_cast<std::ptrdiff_t>(end), kind);
    at_ = end;
  }

  // Behind the closing quote, or at the end of the line.
  size_t QuotedEnd(size_t from, char quote) const {
    for (size_t i = from; i < source_.size(); ++i) {
      if (source_[i] == '\\') {
        ++i;
      } else if (source_[i] == quote) {
        return i + 1;
      } else if (source_[i] == '\n') {
        return i;
      }
    }
    return source_.size();
  }

  void PythonString() {
    const std::string triple(3, Peek());
    if (!StartsWith(triple)) {
      MarkUntil(QuotedEnd(at_ + 1, Peek()), TextKind::kString);
      return;
    }
    size_t end = at_ + 3;
    while (end < source_.size() && !source_.substr(end).starts_with(triple))
      end += source_[end] == '\\' ? 2 : 1;
    MarkUntil(std::min(end + 3, source_.size()), TextKind::kString);
  }

  bool IsRawString() const {
    if (at_ > 0 && IsIdentifier(source_[at_ - 1])) return false;
    for (const std::string_view prefix :
         {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""})
      if (StartsWith(prefix)) return true;
    return false;
  }

  void RawString() {
    const size_t quote = source_.find('"', at_);
    const size_t open = source_.find('(', quote);
    if (open == std::string_view::npos) {
      MarkUntil(source_.size(), TextKind::kString);
      return;
    }
    std::string close(1, ')');
    close.append(source_.substr(quote + 1, open - quote - 1)).append(1, '"');
    MarkUntil(After(source_.find(close, open), close.size()),
              TextKind::kString);
  }

  // In a number ' is a separator, not a quote.
  void Word() {
    const bool number = IsDigit(Peek());
    while (at_ < source_.size() &&
           (IsIdentifier(Peek()) ||
            (number && Peek() == '\'' && at_ + 1 < source_.size() &&
             IsIdentifier(source_[at_ + 1]))))
      ++at_;
  }

  std::string_view source_;
  std::vector<TextKind> kinds_;
  size_t at_ = 0;
};

// Longest first.
constexpr std::array<std::string_view, 24> kOperators{
    "<<<", ">>>", "**=", "//=", "<<=", ">>=", "==", "!=",
    "<=",  ">=",  ":=",  "->",  "::",  "+=",  "-=", "*=",
    "/=",  "%=",  "|=",  "&=",  "^=",  "**",  "@=", "//"};

size_t TokenLength(std::string_view rest) {
  if (IsIdentifier(rest.front())) {
    size_t length = 1;
    while (length < rest.size() && IsIdentifier(rest[length])) ++length;
    return length;
  }
  for (const std::string_view op : kOperators)
    if (rest.starts_with(op)) return op.size();
  return 1;
}

}  // namespace

std::vector<TextKind> KindsOf(std::string_view source, Language language) {
  return language == Language::kPython ? Marker(source).Python()
                                       : Marker(source).Cpp();
}

std::string WithoutComments(std::string_view source, Language language) {
  const std::vector<TextKind> kinds = KindsOf(source, language);
  std::string text(source);
  for (size_t i = 0; i < text.size(); ++i)
    if (kinds[i] == TextKind::kComment && text[i] != '\n') text[i] = ' ';
  return text;
}

std::string CodeOnly(std::string_view source, Language language) {
  const std::vector<TextKind> kinds = KindsOf(source, language);
  std::string text(source);
  for (size_t i = 0; i < text.size(); ++i) {
    if (kinds[i] == TextKind::kCode || text[i] == '\n') continue;
    const bool opens = kinds[i] == TextKind::kString &&
                       (i == 0 || kinds[i - 1] != TextKind::kString);
    text[i] = opens ? '"' : ' ';
  }
  return text;
}

std::vector<Token> Tokenize(std::string_view code) {
  std::vector<Token> tokens;
  int line = 1;
  size_t line_start = 0;
  int indent = -1;
  for (size_t i = 0; i < code.size();) {
    if (code[i] == '\n') {
      ++line;
      line_start = ++i;
      indent = -1;
    } else if (std::isspace(static_cast<unsigned char>(code[i])) != 0) {
      ++i;
    } else {
      const bool first = indent < 0;
      if (first) indent = static_cast<int>(i - line_start);
      const size_t length = TokenLength(code.substr(i));
      tokens.push_back({code.substr(i, length), line, indent, first});
      i += length;
    }
  }
  return tokens;
}

// By hand: a regular expression's stack is at the mercy of the source.
std::optional<Include> IncludeOf(std::string_view line) {
  line = base::Trim(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = base::Trim(line.substr(1));
  constexpr std::string_view kInclude = "include";
  constexpr std::string_view kNext = "_next";
  if (!line.starts_with(kInclude)) return std::nullopt;
  line.remove_prefix(kInclude.size());
  if (line.starts_with(kNext)) line.remove_prefix(kNext.size());
  line = base::Trim(line);
  if (line.empty()) return std::nullopt;
  const char mark = line.front();
  if (base::IsOfName(mark)) return Include{0, line};
  if (mark != '"' && mark != '<') return std::nullopt;
  const size_t end = line.find(mark == '<' ? '>' : mark, 1);
  if (end == std::string_view::npos) return std::nullopt;
  return Include{mark, line.substr(1, end - 1)};
}

// Without overlong forms, surrogates and values beyond U+10FFFF (RFC 3629).
bool IsUtf8(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  for (size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const size_t length = lead < 0x80                    ? 1
                          : lead >= 0xc2 && lead <= 0xdf ? 2
                          : (lead & 0xf0) == 0xe0        ? 3
                          : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                         : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xc0) != 0x80) return false;
    if (lead == 0xe0 && byte(i + 1) < 0xa0) return false;
    if (lead == 0xed && byte(i + 1) > 0x9f) return false;
    if (lead == 0xf0 && byte(i + 1) < 0x90) return false;
    if (lead == 0xf4 && byte(i + 1) > 0x8f) return false;
    i += length;
  }
  return true;
}

}  // namespace kb::source_check
