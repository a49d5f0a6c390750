#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace kb::base {
namespace {

// The first outputs of the reference implementation (Vigna, splitmix64.c).
TEST(Mix, IsTheFinaliserOfSplitMix64) {
  EXPECT_EQ(Mix(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(Mix(1234567), 6457827717110365317ULL);
}

// From the generator's second output on, because Mix() takes a step by itself.
// The bootstrap of scores draws from it: one seed, one interval, everywhere.
TEST(Sequence, IsSplitMix64) {
  Sequence zero(0);
  for (const uint64_t expected :
       {0x6e789e6aa1b965f4ULL, 0x06c45d188009454fULL, 0xf88bb8a8724c81ecULL})
    EXPECT_EQ(zero.Next(), expected);
  Sequence other(1234567);
  for (const uint64_t expected :
       {3203168211198807973ULL, 9817491932198370423ULL, 4593380528125082431ULL})
    EXPECT_EQ(other.Next(), expected);
}

TEST(Sequence, LargestSeedWrapsAround) {
  Sequence last(~uint64_t{0});
  EXPECT_NE(last.Next(), last.Next());
}

TEST(Sequence, BelowOneIsZero) {
  Sequence random(5);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.Below(1), 0U);
}

TEST(Sequence, BelowReachesEveryNumberAboutAsOften) {
  Sequence random(5);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts.at(random.Below(6));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Sequence, NeighbouringSeedsShareNothing) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Sequence random(seed);
    for (int i = 0; i < 100; ++i) seen.insert(random.Next());
  }
  EXPECT_EQ(seen.size(), 10'000U);
}

// By chance two of 64 bits are equal once in 10^17 runs of this test.
TEST(SecretSeed, IsAnotherOneEachTime) {
  std::set<uint64_t> seeds;
  for (int i = 0; i < 20; ++i) seeds.insert(SecretSeed());
  EXPECT_EQ(seeds.size(), 20U);
}

}  // namespace
}  // namespace kb::base
