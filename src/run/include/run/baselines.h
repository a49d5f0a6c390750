#pragma once

#include <stop_token>
#include <vector>

#include "eval/baselines.h"
#include "store/store.h"

namespace kb::run {

// The baselines that the store has of the plan's, and the missing ones measured
// and added to it as they come. `again`: all are measured. The plan's `known`
// is filled in here. The observer's OnMeasured is called once a baseline is
// kept. An Error carries nothing away that was measured before.
base::Result<std::vector<record::Baseline>> MeasureMissing(
    const std::vector<record::Problem>& problems, eval::BaselinePlan plan,
    bool again, const compile::Compiler& compiler,
    const eval::SessionOptions& session, store::Store* store,
    eval::BaselineObserver* observer, const std::stop_token& stop);

// Adds those that the store does not have.
base::Result<void> AddMissing(const std::vector<record::Baseline>& baselines,
                              store::Store* store);

}  // namespace kb::run
