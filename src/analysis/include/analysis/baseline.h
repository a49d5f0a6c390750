#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/scores.h"
#include "base/result.h"
#include "record/baseline.h"

namespace kb::analysis {

// The modes that a baseline's name stands for: its own, and of
// "eager-or-compile", which is KernelBench-v3's, those two, the faster of which
// counts problem by problem. A usage Error lists the names.
base::Result<std::vector<record::BaselineMode>> BaselineModesOf(
    const std::string& name);
std::string BaselineNames();  // as an option's help lists them

// Turns speedups over eager into speedups over the fastest of `modes`:
//
//   over mode = over eager * (mode's median / eager's median)
//
// Both factors are measured in alternation on the same inputs, so the clock's
// drift between the two measurements cancels. A baseline belongs to an outcome
// when problem, size, precision, device, driver and torch are the same, and the
// ruler that measured the entries (RulerOf) measured it. A mode that was tried
// and has no time (it does not compile) is not the fastest. Entries whose
// baseline is not known lose their speedup and say so (without_baseline);
// returns how many. So do correct ones of an import that came without, which
// have none to lose. Wall speedups stay over eager: baselines have device times
// only.
int64_t Rebase(std::vector<Entry>* entries,
               const std::vector<record::Baseline>& baselines,
               const std::vector<record::BaselineMode>& modes);

}  // namespace kb::analysis
