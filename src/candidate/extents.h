#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace kb::candidate {

// What is in use of a piece of memory, by offsets.
class Extents {
 public:
  explicit Extents(size_t bytes) : bytes_(bytes) {}

  // The start of the first gap of so many bytes from there on, in use now.
  std::optional<size_t> Take(size_t from, size_t bytes);
  // How many bytes were in use from there on, and no longer are; 0: none.
  size_t GiveBack(size_t offset);
  // How many are; 0: none.
  size_t At(size_t offset) const;

  struct Gap {
    size_t begin;
    size_t bytes;  // not 0
  };
  // Those that nothing is in, from the start on.
  std::vector<Gap> Gaps() const;

 private:
  size_t bytes_;
  std::map<size_t, size_t> used_;  // bytes by offset
};

}  // namespace kb::candidate
