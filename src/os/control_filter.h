#pragma once

#include <string>
#include <string_view>

namespace kb::os {

// Takes out of a stream, in pieces of any size, what a terminal obeys but for
// what we print ourselves: colours, and the two moves of the status line. Names
// of files, of models and of problems come from others.
class ControlFilter {
 public:
  // What of `piece` and of what was held back may be printed.
  std::string Pass(std::string_view piece);

 private:
  void Take(char c, std::string* out);
  bool Continues(char c, std::string* out);

  std::string held_;  // the beginning of a sequence
};

}  // namespace kb::os
