#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kb::source_check {

enum class Language { kPython, kCpp };

enum class TextKind : char { kCode, kComment, kString };

// What each byte of `source` is, found without running or compiling it. The
// quotes of a string and the marks of a comment belong to it; the newline that
// ends a one-line comment does not.
//
// Takes any bytes; a string or comment that is never closed reaches to the end
// (to the end of its line when the language says so).
std::vector<TextKind> KindsOf(std::string_view source, Language language);

// Both have the length and the newlines of `source`; what is left out becomes
// spaces.
std::string WithoutComments(std::string_view source, Language language);
// Of a string only its first byte is left, as a quote.
std::string CodeOnly(std::string_view source, Language language);

// An identifier, a number or an operator of code that has no comments and no
// strings.
struct Token {
  std::string_view text;  // points into the code
  int line = 1;           // counted from 1
  int indent = 0;         // columns before the first token of its line
  bool first = false;     // nothing but space before it on its line
};
std::vector<Token> Tokenize(std::string_view code);

// What #include or #include_next stands before.
struct Include {
  char mark = 0;          // '"' or '<'; 0: a macro
  std::string_view name;  // between the marks; the macro and what follows it
};
// Of one line, whether or not it lies in a comment.
std::optional<Include> IncludeOf(std::string_view line);

bool IsUtf8(std::string_view text);

}  // namespace kb::source_check
