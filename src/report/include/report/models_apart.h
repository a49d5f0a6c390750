#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reading.h"

namespace kb::report {

// What a run of a report is.
struct OneModel {
  size_t run = 0;  // its index in the reading that the report is of
  std::optional<std::string> model;  // of which; none: all that the run has
};

// A reading in which each run that holds samples of several models has become a
// run for each, "NAME by MODEL": they are scored one by one.
struct ModelsApart {
  analysis::RunReading reading;
  std::vector<OneModel> runs;        // what the reading's runs are
  std::vector<std::string> remarks;  // a line for each that was taken apart
};
ModelsApart TakenApart(const analysis::RunReading& reading);

}  // namespace kb::report
