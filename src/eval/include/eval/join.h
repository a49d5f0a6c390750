#pragma once

#include <cstdint>

#include "lane/lane.h"

namespace kb::eval {

// Adds what a further process of the same candidate showed to what `before`
// (at least one) processes did. The first failure is the whole's. Pure.
void Join(const lane::TurnResult& next, int64_t before,
          lane::TurnResult* whole);

}  // namespace kb::eval
