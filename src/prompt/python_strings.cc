#include "python_strings.h"

#include <algorithm>

namespace kb::prompt {

void PythonStrings::Add(std::string_view python) {
  for (size_t i = 0; i < python.size();) {
    const std::string_view rest = python.substr(i);
    if (open_.empty() && rest[0] == '#')
      i += std::min(rest.find('\n'), rest.size());
    else
      i += open_.empty() ? TakeCode(rest) : TakeString(rest);
  }
}

// How many characters were read; as TakeString.
size_t PythonStrings::TakeCode(std::string_view rest) {
  for (const std::string_view quotes : {"\"\"\"", "'''", "\"", "'"})
    if (open_.empty() && rest.starts_with(quotes)) open_ = quotes;
  return std::max<size_t>(open_.size(), 1);
}

size_t PythonStrings::TakeString(std::string_view rest) {
  if (rest[0] == '\\') return 2;
  if (rest.starts_with(open_)) {
    const size_t length = open_.size();
    open_ = {};
    return length;
  }
  // A simple string cannot go on in the next line.
  if (rest[0] == '\n' && open_.size() == 1) open_ = {};
  return 1;
}

}  // namespace kb::prompt
