#pragma once

#include <cstdint>

#include "runner/lane.h"

namespace kb::eval {

// Adds what a further process of the same candidate showed to what `before`
// (at least one) processes did. The first failure is the whole's. Pure.
void Join(const runner::Outcome& next, int64_t before, runner::Outcome* whole);

}  // namespace kb::eval
