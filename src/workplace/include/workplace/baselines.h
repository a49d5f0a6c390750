#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "record/baseline.h"
#include "store/store.h"
#include "workplace/workplace.h"

namespace kb::workplace {

struct BaselinePlan {
  std::vector<record::BaselineMode> modes;
  bool again = false;    // also what is known
  int64_t limit = 1200;  // seconds for one mode, its compilation included
};

// "eager,compile" or "all".
base::Result<std::vector<record::BaselineMode>> ParseModes(
    const std::vector<std::string>& names);

// Where measured baselines are kept for all runs.
base::Result<std::string> BaselineStorePath();

// The baselines of the problems on the workplace's device, in their order and
// in that of the modes: those in `store`, and the missing ones measured and
// added to it, with progress on stderr. A mode that does not work is a baseline
// without a time. An Error carries nothing away that was measured before.
base::Result<std::vector<record::Baseline>> MeasureBaselines(
    const Workplace& workplace, const BaselinePlan& plan,
    const std::vector<record::Problem>& problems, store::Store* store,
    const std::stop_token& stop);

}  // namespace kb::workplace
