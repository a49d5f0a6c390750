#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kb::jail {

// The start and the end of an endless text, in bounded memory: compilers say
// the cause first and Python last.
class OutputBuffer {
 public:
  explicit OutputBuffer(size_t max_bytes) : half_(max_bytes / 2) {}

  void Append(std::string_view bytes);
  uint64_t total() const { return total_; }
  // All of it when it fits, else with a line in the middle that says how much
  // is left out.
  std::string Text() const;

 private:
  size_t half_;
  std::string head_;
  std::string tail_;  // at most twice as much as is wanted of it
  uint64_t total_ = 0;
};

}  // namespace kb::jail
