#pragma once

#include <functional>

#include "exam.h"
#include "record/baseline.h"
#include "record/policy.h"

namespace kb::oracle {

// Times the open problem's reference in one mode, in alternation with eager on
// the same secret inputs, each call with a cold cache; as many trials as
// `policy` wants of a candidate. That a mode does not work is no Error but the
// result's `reason`; an output that differs from eager's beyond the tolerance
// is said there too.
base::Result<record::BaselineTimes> MeasureBaseline(
    const Bench& bench, const record::Policy& policy,
    record::Tolerance tolerance, record::BaselineMode mode,
    const std::function<void(int64_t done, int64_t of)>& progress);

}  // namespace kb::oracle
