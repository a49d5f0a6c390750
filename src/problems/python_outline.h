#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kb::problems {

// NAME = value at module level.
struct Assignment {
  std::string name;
  int line = 0;
  // Bytes of the value in the source.
  size_t value_begin = 0;
  size_t value_end = 0;
  // One target, one physical line, one statement, plain "=": the value can be
  // replaced without touching anything else.
  bool replaceable = false;
};

struct Definition {
  std::string keyword;  // "class", "def"
  std::string name;
  int line = 0;
};

// What a Python file defines in its first column.
struct PythonOutline {
  std::vector<Assignment> assignments;
  std::vector<Definition> definitions;

  bool Defines(std::string_view keyword, std::string_view name) const;
};
PythonOutline OutlineOf(const std::string& source);

}  // namespace kb::problems
