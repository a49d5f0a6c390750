#pragma once

#include "record/baseline.h"

namespace kb::record {

// What ToJson(baseline) wrote.
base::Result<Baseline> BaselineFromJson(const base::Json& json);

}  // namespace kb::record
