#pragma once

#include <string>
#include <vector>

#include "analysis/scores.h"
#include "report/runs.h"

namespace kb::report {

// fast_p of each run on a grid from 0 to 4; none of a run without scores.
std::vector<FastCurve> CurvesOf(const std::vector<std::string>& runs,
                                const std::vector<analysis::Entry>& entries,
                                const analysis::ScoreOptions& scoring);

}  // namespace kb::report
