#pragma once

#include <string>

namespace kb::prompt {

// The first errors of a compiler's log (g++, clang, nvcc), each with the lines
// of `source` around it where it is in `file_name`, and how many more there
// are. A log without any: its end.
std::string ErrorExcerpt(const std::string& log, const std::string& file_name,
                         const std::string& source);

// The end of what a failing program said, short, without control characters.
std::string LogEnd(const std::string& log);

}  // namespace kb::prompt
