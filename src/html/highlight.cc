#include "html/highlight.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "html/text.h"

namespace kb::html {
namespace {

constexpr auto kCppWords = std::to_array<std::string_view>({
    "__constant__",
    "__device__",
    "__forceinline__",
    "__global__",
    "__host__",
    "__launch_bounds__",
    "__restrict__",
    "__shared__",
    "alignas",
    "alignof",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "const_cast",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "extern",
    "false",
    "float",
    "float2",
    "float4",
    "for",
    "friend",
    "goto",
    "half",
    "half2",
    "if",
    "inline",
    "int",
    "int2",
    "int4",
    "int64_t",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "uint32_t",
    "uint64_t",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
});

constexpr auto kPythonWords = std::to_array<std::string_view>({
    "False",  "None",     "True",  "and",    "as",       "assert",
    "async",  "await",    "break", "class",  "continue", "def",
    "del",    "elif",     "else",  "except", "finally",  "for",
    "from",   "global",   "if",    "import", "in",       "is",
    "lambda", "nonlocal", "not",   "or",     "pass",     "raise",
    "return", "self",     "try",   "while",  "with",     "yield",
});

bool IsWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return IsWordStart(c) || IsDigit(c); }

// Cuts a source into tokens; Next() returns the class letter (0: plain).
class Tokenizer {
 public:
  Tokenizer(std::string_view source, Language language)
      : rest_(source), language_(language) {}

  bool done() const { return rest_.empty(); }

  std::pair<char, std::string_view> Next() {
    const char kind = Classify();
    const std::string_view token = rest_.substr(0, length_);
    rest_.remove_prefix(length_);
    at_line_start_ = token.back() == '\n' ||
                     (at_line_start_ &&
                      token.find_first_not_of(" \t") == std::string_view::npos);
    return {kind, token};
  }

 private:
  // Sets length_ to at least 1.
  char Classify() {
    if (TakeComment()) return 'c';
    if (TakeString()) return 's';
    if (TakeDirective()) return 'p';
    const char c = rest_.front();
    if (IsDigit(c)) {
      TakeNumber();
      return 'n';
    }
    if (IsWordStart(c)) {
      Take(IsWord);
      return IsKeyword(rest_.substr(0, length_)) ? 'k' : 0;
    }
    length_ = 1;
    return 0;
  }

  template <typename F>
  void Take(F&& belongs) {
    length_ = 1;
    while (length_ < rest_.size() && belongs(rest_[length_])) ++length_;
  }

  // 0x1f, 1e-30f, 1'024
  void TakeNumber() {
    length_ = 1;
    for (; length_ < rest_.size(); ++length_) {
      const char c = rest_[length_];
      const char before = rest_[length_ - 1];
      const bool sign = (c == '-' || c == '+') && (before | 0x20) == 'e';
      const bool group = language_ == Language::kCpp && c == '\'' &&
                         length_ + 1 < rest_.size() &&
                         IsWord(rest_[length_ + 1]);
      if (!IsWord(c) && c != '.' && !sign && !group) return;
    }
  }

  // Up to and with `end`, or all that is left.
  void TakeThrough(std::string_view end, size_t from) {
    const size_t at = rest_.find(end, from);
    length_ = at == std::string_view::npos ? rest_.size() : at + end.size();
  }

  bool TakeComment() {
    if (language_ == Language::kCpp && rest_.starts_with("/*")) {
      TakeThrough("*/", 2);
      return true;
    }
    if (!rest_.starts_with(language_ == Language::kCpp ? "//" : "#"))
      return false;
    length_ = std::min(rest_.find('\n'), rest_.size());
    return true;
  }

  bool TakeString() {
    if (language_ == Language::kCpp && rest_.starts_with("R\""))
      return TakeRawString();
    size_t quote = 0;  // where the opening quote is, after a Python prefix
    if (language_ == Language::kPython)
      quote = std::min(rest_.find_first_not_of("rRbBfFuU"), rest_.size());
    if (quote > 2 || quote == rest_.size()) return false;
    const char mark = rest_[quote];
    if (mark != '"' && mark != '\'') return false;
    const std::string triple(3, mark);
    if (language_ == Language::kPython &&
        rest_.substr(quote).starts_with(triple)) {
      TakeThrough(triple, quote + 3);
      return true;
    }
    length_ = quote + 1;
    while (length_ < rest_.size() && rest_[length_] != mark &&
           rest_[length_] != '\n')
      length_ += rest_[length_] == '\\' ? 2 : 1;
    if (length_ < rest_.size() && rest_[length_] == mark) ++length_;
    length_ = std::min(length_, rest_.size());
    return true;
  }

  // R"delimiter( ... )delimiter"
  bool TakeRawString() {
    const size_t open = rest_.find('(');
    if (open == std::string_view::npos || open > 2 + 16) return false;
    std::string end(1, ')');
    end.append(rest_.substr(2, open - 2)).append(1, '"');
    TakeThrough(end, open);
    return true;
  }

  bool TakeDirective() {
    const char mark = language_ == Language::kCpp ? '#' : '@';
    if (!at_line_start_ || rest_.front() != mark) return false;
    Take([](char c) { return IsWord(c) || c == '.' || c == ' '; });
    return true;
  }

  bool IsKeyword(std::string_view word) const {
    if (language_ == Language::kCpp)
      return std::binary_search(kCppWords.begin(), kCppWords.end(), word);
    return std::binary_search(kPythonWords.begin(), kPythonWords.end(), word);
  }

  std::string_view rest_;
  Language language_;
  bool at_line_start_ = true;
  size_t length_ = 0;
};

void AppendToken(char kind, std::string_view text, std::string* out) {
  if (text.empty()) return;
  if (kind == 0) {
    *out += EscapeHtml(text);
    return;
  }
  *out += "<span class=\"";
  *out += kind;
  *out += "\">";
  *out += EscapeHtml(text);
  *out += "</span>";
}

}  // namespace

std::string HighlightHtml(std::string_view source, Language language) {
  static constexpr std::string_view kOpen = "<span class=\"l\">";
  static constexpr std::string_view kClose = "\n</span>";
  if (source.ends_with('\n')) source.remove_suffix(1);
  std::string out(kOpen);
  Tokenizer tokenizer(source, language);
  while (!tokenizer.done()) {
    auto [kind, token] = tokenizer.Next();
    // A token over several lines is closed and opened again at each end, so
    // that every line is an element of its own.
    while (true) {
      const size_t end = token.find('\n');
      AppendToken(kind, token.substr(0, end), &out);
      if (end == std::string_view::npos) break;
      out += kClose;
      out += kOpen;
      token.remove_prefix(end + 1);
    }
  }
  out += kClose;
  return out;
}

}  // namespace kb::html
