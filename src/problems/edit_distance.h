#pragma once

#include <cstddef>
#include <string_view>

namespace kb::problems {

// How many letters must be inserted, removed, replaced or swapped with their
// neighbour to make one text of the other (restricted Damerau-Levenshtein).
size_t EditDistance(std::string_view a, std::string_view b);

}  // namespace kb::problems
