#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "problems/pack.h"

namespace kb::workplace {

// What the command line said of which problems. Empty: all.
struct SelectionOptions {
  std::vector<std::string> problems;  // ids as Pack::Find takes them
  std::vector<std::string> levels;    // "level1", "1", "v3/level2", "v3/2"
  std::string select;                 // name of a selection
  bool NamesAny() const {
    return !problems.empty() || !levels.empty() || !select.empty();
  }
};

// The problems that all given options allow, in the pack's order. None is a
// usage error.
base::Result<std::vector<problems::Entry>> Selected(
    const problems::Pack& pack, const SelectionOptions& options);

}  // namespace kb::workplace
