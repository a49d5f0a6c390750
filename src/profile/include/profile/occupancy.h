#pragma once

#include <optional>

#include "record/profile.h"

namespace kb::profile {

// How many warps of a kernel fit a processor of the GPU at a time, of those
// that it has room for, as NVIDIA's calculator has it for compute capability
// 7.0 and later. Nothing where the limits are not known or the launch fits
// none.
std::optional<record::Profile::Occupancy> OccupancyOf(
    const record::Activity::Launch& launch, const record::DeviceLimits& limits);

}  // namespace kb::profile
