#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kb::base {

// Whether an identifier of C++ or Python may have it: a letter, a digit or an
// underscore of ASCII.
bool IsOfName(char c);

std::vector<std::string> Split(std::string_view text, char separator);
std::string_view Trim(std::string_view text);
// The last line that is not blank, trimmed; empty when all are. Python says in
// it what happened.
std::string_view LastLine(std::string_view text);

// At most `max_bytes` of `text`, the start and the end of it kept when
// something has to go, because compilers say the cause first and Python last.
std::string Shorten(std::string_view text, size_t max_bytes);
// With a space for each line end, so that it is one line.
std::string OneLine(std::string_view text);
// What went wrong, in one line: of a traceback the last, else all.
std::string Gist(std::string_view error);
// Shorten of a line, which stays one.
std::string ShortenLine(std::string_view line, size_t max_bytes);

// What foreign code printed, fit for a terminal and a database: control
// characters other than newline and tab are removed (so no escape sequences),
// invalid UTF-8 is replaced by '?'.
std::string Printable(std::string_view text);

}  // namespace kb::base
