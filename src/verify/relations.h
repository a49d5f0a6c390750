#pragma once

#include <optional>
#include <string>

#include "evidence.h"

namespace kb::verify {

// How the actual values as a whole follow from the expected ones: transposed,
// shifted, negated, scaled, an offset, or a coarser arithmetic. Absent: in none
// of these ways.
std::optional<std::string> Relation(const Evidence& evidence);

}  // namespace kb::verify
