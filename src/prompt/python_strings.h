#pragma once

#include <cstddef>
#include <string_view>

namespace kb::prompt {

// Follows Python code, which comes in pieces, in and out of its strings.
class PythonStrings {
 public:
  // Whole lines, the newlines included.
  void Add(std::string_view python);
  // Whether what was added ends within a triple-quoted string.
  bool in_triple_quotes() const { return open_.size() == 3; }

 private:
  size_t TakeCode(std::string_view rest);
  size_t TakeString(std::string_view rest);

  std::string_view open_;  // the quotes of the string that we are in
};

}  // namespace kb::prompt
