#pragma once

#include <string_view>

namespace kb::problems {

// Order of people: level2/9 comes before level2/10.
bool NaturallyLess(std::string_view a, std::string_view b);

}  // namespace kb::problems
