#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/reading.h"
#include "base/result.h"
#include "problems/pack.h"
#include "record/problem.h"

namespace kb::run {

// Speedups by device time are over `baseline`, whose times come from the runs
// and from the store of baselines. A sample that was judged again after an
// earlier ruler had measured it counts as the later one says; where results of
// two rulers remain, that is a usage error.
base::Result<analysis::RunReading> ReadRuns(
    const std::vector<std::string>& runs, const problems::Pack& pack,
    const std::string& baseline);

// The share of the device's data sheet ceiling that a median time reaches:
// the longer of moving the compulsory bytes and of the FLOPs, over the time.
// `cost` is of fp32, so there is none in another precision.
std::optional<double> RooflineShare(const record::Cost& cost,
                                    double bandwidth_gbps, double tflops,
                                    double candidate_us);

}  // namespace kb::run
