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

// The baselines of a file that WriteBaselineFile or `baseline --json` wrote. A
// mistake in it is a usage Error that names the file.
base::Result<std::vector<record::Baseline>> ReadBaselineFile(
    const std::string& path);
// As the document "baselines", whole or not at all.
base::Result<void> WriteBaselineFile(
    const std::string& path, const std::vector<record::Baseline>& baselines);
base::Json BaselineDocument(const std::vector<record::Baseline>& baselines);

// Adds those that the store does not have.
base::Result<void> AddMissing(const std::vector<record::Baseline>& baselines,
                              store::Store* store);

}  // namespace kb::run
