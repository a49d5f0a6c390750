#pragma once

#include <string>

namespace kb::base {

// The time of day as ISO 8601, to the second: "2026-11-23T07:32:00Z".
std::string UtcNow();

}  // namespace kb::base
