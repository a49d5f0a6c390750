#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/scores.h"

namespace kb::analysis {

// How the times of a run's samples were taken, and what is no part of them.
struct Measured {
  std::set<record::Precision> precisions;
  bool cold = false;  // some were, with caches evicted before every chain
  bool warm = false;  // some were as the call before had left them
  // Seconds of each candidate's first call: modules are loaded, PyTorch and
  // Triton compile and tune, libraries make their plans.
  double first_call_median_s = 0;
  double first_call_max_s = 0;
  bool operator==(const Measured&) const = default;
};

// By run; those without a sample that a ruler of ours has timed are not in it.
std::map<std::string, Measured> MeasuredByRun(
    const std::vector<Entry>& entries);

// "fp32, cold caches, the oracle's clock"
std::string ConditionsOf(const Measured& measured);
// "0.62 s in the middle, 1.1 s at most"
std::string FirstCallsOf(const Measured& measured);

}  // namespace kb::analysis
