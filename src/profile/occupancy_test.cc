#include "profile/occupancy.h"

#include <gtest/gtest.h>

namespace kb::profile {
namespace {

// Of an H100 (compute capability 9.0).
constexpr record::DeviceLimits kHopper{.multiprocessors = 132,
                                       .threads = 2048,
                                       .blocks = 32,
                                       .registers = 65536,
                                       .shared_bytes = 233472,
                                       .reserved_shared_bytes = 1024};

struct Known {
  int64_t threads, registers, shared_bytes;
  double share;  // by NVIDIA's calculator
  const char* limited_by;
};

TEST(Occupancy, IsTheCalculators) {
  constexpr Known kKnown[] = {
      {256, 32, 0, 1.0, "threads"},
      {256, 33, 0, 0.75, "registers"},  // 40 * 32 a warp: 48 warps, 6 blocks
      {256, 64, 0, 0.5, "registers"},
      {256, 255, 0, 0.125, "registers"},
      {1024, 64, 0, 0.5, "registers"},
      {1024, 65, 0, 0, ""},  // 28 warps fit: no block of 32
      {32, 32, 0, 0.5, "blocks"},
      {64, 32, 0, 1.0, "threads"},
      {96, 32, 0, 63.0 / 64, "threads"},
      {256, 32, 100 << 10, 0.25, "shared memory"},
      {256, 32, 48 << 10, 0.5, "shared memory"},
      {128, 32, 227 << 10, 0.0625, "shared memory"},
      {100, 32, 0, 1.0, "threads"},  // as 128
  };
  for (const Known& known : kKnown) {
    record::Activity::Launch launch;
    launch.grid = {1000, 1, 1};
    launch.block = {known.threads, 1, 1};
    launch.registers = known.registers;
    launch.dynamic_shared_bytes = known.shared_bytes;
    const auto found = OccupancyOf(launch, kHopper);
    const std::string which =
        fmt::format("{} threads, {} registers, {} bytes", known.threads,
                    known.registers, known.shared_bytes);
    ASSERT_EQ(found.has_value(), known.share > 0) << which;
    if (!found) continue;
    EXPECT_DOUBLE_EQ(found->share, known.share) << which;
    EXPECT_EQ(found->limited_by, known.limited_by) << which;
  }
}

TEST(Occupancy, IsNotKnownOfWhatCannotBe) {
  record::Activity::Launch launch;
  launch.block = {int64_t{1} << 30, int64_t{1} << 30, int64_t{1} << 30};
  EXPECT_FALSE(OccupancyOf(launch, kHopper));
  launch.block = {256, 1, 1};
  launch.registers = int64_t{1} << 40;
  EXPECT_FALSE(OccupancyOf(launch, kHopper));
  launch.registers = 32;
  EXPECT_TRUE(OccupancyOf(launch, kHopper));
  EXPECT_FALSE(OccupancyOf(launch, {}));
}

}  // namespace
}  // namespace kb::profile
