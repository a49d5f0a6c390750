#pragma once

#include <optional>
#include <string>

#include "evidence.h"

namespace kb::verify {

// How the actual values as a whole follow from the expected ones: transposed,
// shifted, negated, scaled, an offset, or a coarser arithmetic. Absent: in none
// of these ways.
std::optional<std::string> Relation(const Evidence& evidence);

// Whether the wrong elements are off by another order of magnitude than the
// right ones, most of which are exact or nearly so. Not those whose error is
// the tail of one that all have.
bool StandOut(const Evidence& evidence);

}  // namespace kb::verify
