#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/baseline.h"

namespace kb::analysis {

// What both files have a time of, in one mode.
struct ModeComparison {
  record::BaselineMode mode = record::BaselineMode::kEager;
  int64_t count = 0;  // of problems, each at its size and precision
  double ratio = 1;   // geometric mean of the second's median over the first's
  double median = 0;  // of |log of such a ratio|
  double worst = 1;   // the ratio that is furthest from 1
  std::string problem;  // which it belongs to
  int64_t overlap =
      0;  // whose ranges from the lower to the upper quartile meet
  int64_t speedups = 0;  // over eager, with an interval, that both have
  int64_t inside = 0;    // of these, the second in the first's interval
};

struct BaselineComparison {
  std::vector<ModeComparison> modes;  // in the order of BaselineMode
  int64_t first_alone = 0;            // times that the other has none of
  int64_t second_alone = 0;
  int64_t other_ruler = 0;  // of both, but by different rulers
};

// Of a problem (its hash), size, precision and mode the last one counts. The
// devices may differ: then the ratio is between them.
BaselineComparison Compare(const std::vector<record::Baseline>& first,
                           const std::vector<record::Baseline>& second);

std::string ToText(const BaselineComparison& comparison);
base::Json ToJson(const BaselineComparison& comparison);

}  // namespace kb::analysis
