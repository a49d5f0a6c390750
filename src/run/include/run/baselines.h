#pragma once

#include <stop_token>
#include <vector>

#include "eval/baselines.h"
#include "store/store.h"

namespace kb::run {

// The baselines of the plan that are known, and the missing ones measured and
// added to the store as they come. The observer's OnMeasured is called once a
// baseline is kept. An Error carries nothing away that was measured before.
base::Result<std::vector<record::Baseline>> MeasureMissing(
    const std::vector<record::Problem>& problems,
    const eval::BaselinePlan& plan, const compile::Compiler& compiler,
    const eval::SessionOptions& session, store::Store* store,
    eval::BaselineObserver* observer, const std::stop_token& stop);

// Adds those that the store does not have.
base::Result<void> AddMissing(const std::vector<record::Baseline>& baselines,
                              store::Store* store);

}  // namespace kb::run
