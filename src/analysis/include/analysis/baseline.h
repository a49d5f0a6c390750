#pragma once

#include <cstdint>
#include <vector>

#include "analysis/scores.h"
#include "record/baseline.h"

namespace kb::analysis {

// Turns speedups over eager into speedups over `mode`:
//
//   over mode = over eager * (mode's median / eager's median)
//
// Both factors are measured in alternation on the same inputs, so the clock's
// drift between the two measurements cancels. A baseline belongs to an outcome
// when problem, size, precision, device, driver and torch are the same, and the
// ruler that measured the entries (RulerOf) measured it. Entries without one
// are left out, right and wrong ones alike; returns how many. kEager changes
// nothing. Wall speedups stay over eager: baselines have device times only.
int64_t Rebase(std::vector<Entry>* entries,
               const std::vector<record::Baseline>& baselines,
               record::BaselineMode mode);

}  // namespace kb::analysis
