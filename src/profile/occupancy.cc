#include "profile/occupancy.h"

#include <algorithm>
#include <utility>

namespace kb::profile {
namespace {

constexpr int64_t kWarp = 32;
// In these units is it given out: registers to a warp, which belongs to one of
// four parts of the processor, and bytes to a block.
constexpr int64_t kRegisterUnit = 256;
constexpr int64_t kParts = 4;
constexpr int64_t kSharedUnit = 128;
// Nobody launches more; what a jail says may be anything.
constexpr int64_t kMostThreads = 1024;
constexpr int64_t kMostRegisters = 255;

int64_t RoundedUp(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

int64_t BlocksByRegisters(const record::Activity::Launch& launch,
                          int64_t warps_of_block, int64_t registers) {
  const int64_t of_warp =
      RoundedUp(std::max<int64_t>(launch.registers, 1) * kWarp, kRegisterUnit);
  return registers / kParts / of_warp * kParts / warps_of_block;
}

}  // namespace

std::optional<record::Profile::Occupancy> OccupancyOf(
    const record::Activity::Launch& launch,
    const record::DeviceLimits& limits) {
  for (const int64_t extent : launch.block)
    if (extent < 1 || extent > kMostThreads) return std::nullopt;
  const int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  if (limits.threads < kWarp || threads > kMostThreads ||
      launch.registers > kMostRegisters)
    return std::nullopt;
  const int64_t warps = RoundedUp(threads, kWarp) / kWarp;
  const int64_t shared =
      RoundedUp(launch.static_shared_bytes + launch.dynamic_shared_bytes +
                    limits.reserved_shared_bytes,
                kSharedUnit);
  const std::pair<int64_t, const char*> rows[] = {
      {limits.threads / kWarp / warps, "threads"},
      {limits.blocks, "blocks"},
      {BlocksByRegisters(launch, warps, limits.registers), "registers"},
      {shared > 0 ? limits.shared_bytes / shared : limits.blocks,
       "shared memory"}};
  const auto* const least = std::ranges::min_element(
      rows, {}, [](const auto& row) { return row.first; });
  if (least->first < 1) return std::nullopt;
  return record::Profile::Occupancy{
      static_cast<double>(least->first * warps) /
          static_cast<double>(limits.threads / kWarp),
      least->second};
}

}  // namespace kb::profile
