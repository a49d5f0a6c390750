#include "memory_plan.h"

#include <gtest/gtest.h>

namespace kb::oracle {
namespace {

constexpr uint64_t kMega = uint64_t{1} << 20;
constexpr uint64_t kGiga = uint64_t{1} << 30;

// An elementwise forward.
Needs Elementwise(uint64_t bytes, size_t slots = 1) {
  return {.inputs = bytes, .outputs = bytes, .forward = bytes, .slots = slots};
}

TEST(SlotsFor, ShortCallsHaveLongChains) {
  const CallBytes small{.inputs = kMega, .outputs = kMega};
  EXPECT_EQ(SlotsFor(small, 60 * kGiga, true), 64U);
  // 4.3e9 bytes of the 4.5e9 that a chain moves, and one slot to move by.
  const CallBytes medium{.inputs = 2 * kGiga, .outputs = 2 * kGiga};
  EXPECT_EQ(SlotsFor(medium, 74 * kGiga, true), 3U);
  EXPECT_EQ(SlotsFor({}, 0, true), 1U);
}

// level1/33 on an H100: two slots and what is kept of their inputs would be 24
// GiB, a third of all.
TEST(SlotsFor, LeaveThreeQuarters) {
  const CallBytes large{.inputs = 4 * kGiga, .outputs = 4 * kGiga};
  EXPECT_EQ(SlotsFor(large, 74 * kGiga, true), 1U);
  EXPECT_EQ(SlotsFor(large, 138 * kGiga, true), 2U);
}

TEST(PoolBytes, AreTwiceWhatForwardNeedsWhereThereIsRoom) {
  EXPECT_EQ(PoolBytes(Elementwise(10 * kMega, 32), 60 * kGiga, 2),
            (96 + 640 + 20) * kMega);
}

// level1/19 at its full size on an H100: 6 GiB each of inputs and outputs, and
// 54 GiB were free when the first pool was made.
TEST(PoolBytes, LeaveACandidateMemoryOfItsOwn) {
  const Needs needs = Elementwise(6 * kGiga);
  constexpr uint64_t kFree = 54 * kGiga;
  ASSERT_TRUE(FitsInDouble(needs, kFree));
  const uint64_t after_double = kFree - 4 * needs.inputs;
  const uint64_t reference = PoolBytes(needs, after_double, 2);
  const uint64_t candidate = PoolBytes(needs, after_double - reference, 1);
  EXPECT_GE(reference, needs.outputs) << "they are made in it";
  EXPECT_GE(candidate, needs.outputs);
  EXPECT_GE(after_double - reference - candidate, 12 * kGiga)
      << "for one more input and output";
}

TEST(PoolBytes, HoldOutputsBeforeTheyLeaveRoom) {
  EXPECT_EQ(PoolBytes(Elementwise(8 * kGiga), 30 * kGiga, 2),
            8 * kGiga + 96 * kMega);
  EXPECT_EQ(PoolBytes(Elementwise(8 * kGiga), 11 * kGiga, 2), 4 * kGiga);
}

// level1/36 on an H100. x**2 is gone when x / rms is made, but two small
// tensors were cut from its memory. Where one side's fits, so does the other's.
TEST(PoolBytes, HoldWhatIsFragmentedOnBothSides) {
  const Needs needs{.inputs = 7168 * kMega,
                    .outputs = 7168 * kMega,
                    .forward = 14448 * kMega};
  for (uint64_t free = 30 * kGiga; free < 70 * kGiga; free += kGiga) {
    const uint64_t reference = PoolBytes(needs, free, 2);
    const uint64_t candidate = PoolBytes(needs, free - reference - kGiga, 1);
    if (reference < needs.forward) continue;
    EXPECT_GE(candidate, needs.forward) << free / kGiga;
  }
  EXPECT_GE(PoolBytes(needs, 42 * kGiga, 2), needs.forward);
}

// level3/31: attention weights of 8 GiB, twice, in each of many calls.
TEST(PoolBytes, LeaveTheOracleOneForward) {
  const Needs needs{.inputs = 16 * kMega,
                    .outputs = 16 * kMega,
                    .forward = 20 * kGiga,
                    .slots = 64};
  for (uint64_t free = 70 * kGiga; free < 140 * kGiga; free += kGiga) {
    const uint64_t reference = PoolBytes(needs, free, 2);
    const uint64_t candidate = PoolBytes(needs, free - reference - kGiga, 1);
    EXPECT_GE(std::min(reference, candidate), needs.forward);
    EXPECT_GE(free - reference - candidate - kGiga, needs.forward);
  }
}

// As with torch.compile of level1/33 on an H100: when the candidate's came, too
// little was left for one of three shares to hold its output of 4 GiB, and too
// little beside that share as well.
TEST(PoolBytes, TheLastOneNeedsToLeaveRoomForNoOther) {
  const Needs needs = Elementwise(4 * kGiga);
  constexpr uint64_t kFree = 8 * kGiga + 400 * kMega;
  EXPECT_LT(PoolBytes(needs, kFree, 2), needs.outputs);
  EXPECT_GT(PoolBytes(needs, kFree, 1), needs.outputs);
}

TEST(PoolBytesOnCpu, HoldAChainsOutputsAndWhatLeadsToThem) {
  EXPECT_EQ(PoolBytesOnCpu(Elementwise(16 * kMega, 3), 20 * kGiga),
            192 * kMega);
  EXPECT_EQ(PoolBytesOnCpu(Elementwise(4 * kGiga), 24 * kGiga), 4 * kGiga);
}

TEST(FitsInDouble, OnlyWhatLeavesBothSidesTheirs) {
  EXPECT_TRUE(FitsInDouble(Elementwise(10 * kMega, 32), 60 * kGiga));
  // level1/39 on an H100: 8 GiB.
  EXPECT_FALSE(FitsInDouble(Elementwise(8 * kGiga), 46 * kGiga));
  EXPECT_TRUE(FitsInDouble(Elementwise(8 * kGiga), 108 * kGiga));
}

TEST(FitsInDouble, WeightsAreCopiedToo) {
  Needs needs = Elementwise(10 * kMega);
  needs.weights = 8 * kGiga;
  EXPECT_FALSE(FitsInDouble(needs, 16 * kGiga));
  EXPECT_TRUE(FitsInDouble(needs, 24 * kGiga));
}

}  // namespace
}  // namespace kb::oracle
