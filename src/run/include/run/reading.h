#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/reading.h"
#include "analysis/roofline.h"
#include "base/result.h"
#include "problems/pack.h"
#include "record/evaluation.h"
#include "store/store.h"

namespace kb::run {

// Speedups by device time are over `baseline`, whose times come from the runs
// and from the store of baselines. A sample that was judged again after an
// earlier ruler had measured it counts as the later one says; where results of
// two rulers remain, that is a usage error.
base::Result<analysis::RunReading> ReadRuns(
    const std::vector<std::string>& runs, const problems::Pack& pack,
    const std::string& baseline);

// The evaluation that each of the entries of one store is of, as it counts
// there: without times and as `not_certified` where those cannot be. None: it
// has no result.
base::Result<std::vector<std::optional<record::Evaluation>>> EvaluationsOf(
    const std::vector<analysis::Entry>& entries, const store::Store& store);

// What the data sheet says of a device as the driver names it, for models in
// `precision` (analysis::RooflineAt). None: we have no data sheet of it, or it
// cannot do them. `prompts` is the folder share/prompts.
std::optional<analysis::Roofline> RooflineOf(const std::string& prompts,
                                             const std::string& device_name,
                                             record::Precision precision);

}  // namespace kb::run
