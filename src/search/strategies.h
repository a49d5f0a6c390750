#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "search/strategy.h"

namespace kb::search {

// An option of a strategy; a whole number unless `share`, which is from 0 to 1.
struct Option {
  const char* name;
  double usual;
  double least;
  double most;
  const char* help;
  bool share = false;
};

// Values of all options, by name.
using Values = std::map<std::string, double>;

// A strategy as users know it.
struct Row {
  const char* name;
  const char* help;
  std::vector<Option> options;
  std::unique_ptr<Strategy> (*make)(const Values& values, uint64_t seed);
};

// One file each.
Row BestOfNRow();
Row RefinementRow();
Row ParallelRefinementRow();
Row BeamRow();
Row IslandsRow();

}  // namespace kb::search
