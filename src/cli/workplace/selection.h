#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "problems/pack.h"
#include "record/problem.h"

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

// The same, to be loaded at `size`. A usage error says which of them lack it,
// or one of several.
base::Result<std::vector<problems::Entry>> SelectedAt(
    const record::Size& size, const problems::Pack& pack,
    const SelectionOptions& options);

// A problem at the first of the sizes that `size` comes to, and at the others.
struct ProblemAtSizes {
  record::Problem first;
  std::vector<record::Problem> further;
};
base::Result<ProblemAtSizes> LoadAt(const problems::Pack& pack,
                                    const std::string& id,
                                    const record::Size& size,
                                    uint64_t fit_bytes);

// The problems of a split that is held out: `words` are ids, levels and names
// of selections. Problems of the pack that are called like one of them are held
// out with it. A word that names nothing is a usage error.
base::Result<std::set<std::string>> HeldOut(
    const problems::Pack& pack, const std::vector<std::string>& words);

}  // namespace kb::workplace
