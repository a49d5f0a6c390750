#include "lane/processors.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <numeric>

namespace kb::lane {
namespace {

std::vector<int> Numbered(int count, int first = 0) {
  std::vector<int> processors(static_cast<size_t>(count));
  std::iota(processors.begin(), processors.end(), first);
  return processors;
}

// Each a core of its own.
std::vector<Core> Plain(const std::vector<int>& processors) {
  std::vector<Core> cores;
  for (const int processor : processors) cores.push_back({processor});
  return cores;
}

// Two of a core are `apart` numbers apart.
std::vector<Core> Paired(int count, int apart) {
  std::vector<Core> cores;
  for (int first = 0; first < count; ++first)
    if (first / apart % 2 == 0) cores.push_back({first, first + apart});
  return cores;
}

// As many lanes as the machine has GPUs.
std::vector<Place> OnEach(size_t gpus) {
  std::vector<Place> places;
  for (size_t i = 0; i < gpus; ++i) places.push_back({i, gpus});
  return places;
}

// With one lane.
Processors One(bool cuda, const std::vector<Core>& cores) {
  return ShareOut(cuda, cores, OnEach(1)).at(0);
}

bool NothingIsShared(const Processors& shares) {
  return shares.timed.empty() && shares.others.empty() && shares.oracle.empty();
}

int CountOfThisThread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  return CPU_COUNT(&set);
}

TEST(ShareOut, OneProcessorOrNoneCannotBeShared) {
  for (const bool cuda : {false, true}) {
    EXPECT_TRUE(NothingIsShared(One(cuda, {})));
    EXPECT_TRUE(NothingIsShared(One(cuda, {{3}})));
  }
}

TEST(ShareOut, OfTwoOnCpuEachGetsOne) {
  const Processors shares = One(false, {{4}, {9}});
  EXPECT_EQ(shares.timed, (std::vector<int>{9}));
  EXPECT_EQ(shares.others, (std::vector<int>{4}));
  EXPECT_EQ(shares.oracle, shares.others) << "timed work would take its time";
}

TEST(ShareOut, OnCpuThreeQuartersAreTimed) {
  const Processors four = One(false, Plain(Numbered(4)));
  EXPECT_EQ(four.timed, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(four.others, (std::vector<int>{0}));
  const Processors sixteen = One(false, Plain(Numbered(16)));
  EXPECT_EQ(sixteen.timed, Numbered(12, 4));
  EXPECT_EQ(sixteen.others, Numbered(4));
}

TEST(ShareOut, NobodyIsTimedBesideTheOracleOnAHiddenCore) {
  const auto pairs = WithHiddenSiblings(Plain(Numbered(16)));
  EXPECT_EQ(pairs, Paired(16, 1));
  const Processors shares = One(true, pairs);
  EXPECT_EQ(shares.oracle, (std::vector<int>{14, 15}));
  EXPECT_EQ(shares.timed, (std::vector<int>{12}));
  EXPECT_EQ(shares.others, Numbered(12));
}

TEST(ShareOut, SiblingsThatAreShownAreTaken) {
  const auto shown = Paired(8, 4);
  EXPECT_EQ(WithHiddenSiblings(shown), shown);
  EXPECT_EQ(WithHiddenSiblings({{3}, {4}, {7}}),
            (std::vector<Core>{{3}, {4}, {7}}))
      << "of which only halves may be used";
}

TEST(ShareOut, WithAGpuFewProcessorsAreNotShared) {
  for (const int count : {2, 4, 7})
    EXPECT_TRUE(NothingIsShared(One(true, Plain(Numbered(count))))) << count;
}

TEST(ShareOut, WithAGpuOneIsTimed) {
  const Processors eight = One(true, Plain(Numbered(8)));
  EXPECT_EQ(eight.timed, (std::vector<int>{6}));
  EXPECT_EQ(eight.oracle, (std::vector<int>{7})) << "builds take their time";
  EXPECT_EQ(eight.others, Numbered(6));
  const Processors sixteen = One(true, Plain(Numbered(16)));
  EXPECT_EQ(sixteen.timed, (std::vector<int>{14}))
      << "both sides of a ratio take turns on the same";
  EXPECT_EQ(sixteen.oracle, (std::vector<int>{15}));
  EXPECT_EQ(sixteen.others, Numbered(14));
}

TEST(ShareOut, WithAGpuTheOracleSharesNoCore) {
  const Processors near = One(true, Paired(16, 1));
  EXPECT_EQ(near.oracle, (std::vector<int>{14, 15}));
  EXPECT_EQ(near.timed, (std::vector<int>{12}));
  EXPECT_EQ(near.others, Numbered(12));
  const Processors far = One(true, Paired(16, 8));
  EXPECT_EQ(far.oracle, (std::vector<int>{7, 15}));
  EXPECT_EQ(far.timed, (std::vector<int>{6}));
  const Processors eight = One(true, Paired(8, 1));
  EXPECT_EQ(eight.oracle, (std::vector<int>{6, 7}));
  EXPECT_EQ(eight.timed, (std::vector<int>{4}));
  EXPECT_EQ(eight.others, Numbered(4));
}

TEST(ShareOut, EveryProcessorHasOneUseAndNoOtherIsTaken) {
  for (const bool cuda : {false, true})
    for (int count = 0; count < 40; ++count) {
      const std::vector<int> usable = Numbered(count, 5);
      const Processors shares = One(cuda, Plain(usable));
      if (NothingIsShared(shares)) continue;
      EXPECT_FALSE(shares.timed.empty());
      EXPECT_FALSE(shares.others.empty());
      std::vector<int> all = shares.others;
      all.insert(all.end(), shares.timed.begin(), shares.timed.end());
      if (cuda)
        all.insert(all.end(), shares.oracle.begin(), shares.oracle.end());
      EXPECT_EQ(all, usable) << count;
    }
}

TEST(ShareOut, EveryGpuHasItsOwnAndTheRestIsForAll) {
  const std::vector<Processors> two = ShareOut(true, Paired(32, 1), OnEach(2));
  EXPECT_EQ(two[0].oracle, (std::vector<int>{30, 31}));
  EXPECT_EQ(two[0].timed, (std::vector<int>{28}));
  EXPECT_EQ(two[1].oracle, (std::vector<int>{26, 27}));
  EXPECT_EQ(two[1].timed, (std::vector<int>{24}));
  EXPECT_EQ(two[0].others, Numbered(24));
  EXPECT_EQ(two[1].others, two[0].others);
  for (const Processors& few : ShareOut(true, Paired(8, 1), OnEach(2)))
    EXPECT_TRUE(NothingIsShared(few)) << "eight for each";
}

// Two commands, one for each GPU, do not know of each other.
TEST(ShareOut, CommandsForOneGpuEachDoNotMeet) {
  const auto cores = Paired(32, 1);
  const std::vector<Processors> together = ShareOut(true, cores, OnEach(2));
  for (size_t i = 0; i < 2; ++i) {
    const auto alone = ShareOut(true, cores, {{i, 2}});
    ASSERT_EQ(alone.size(), 1U);
    EXPECT_EQ(alone[0].timed, together[i].timed);
    EXPECT_EQ(alone[0].oracle, together[i].oracle);
    EXPECT_EQ(alone[0].others, together[i].others);
  }
}

// As in a container that shows the GPUs of others.
TEST(ShareOut, GpusThatAreTooManyForTheProcessorsHaveNone) {
  const auto cores = Paired(16, 1);
  const auto one = ShareOut(true, cores, {{5, 8}});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].timed, One(true, cores).timed);
  const auto unknown = ShareOut(true, cores, {{0, 0}});
  EXPECT_EQ(unknown.at(0).timed, One(true, cores).timed);
}

TEST(ShareOut, NoProcessorIsTimedOnForTwoGpus) {
  for (const size_t lanes : {1, 2, 3, 4, 8})
    for (int count = 2; count < 140; count += 2) {
      std::vector<int> all;
      for (const Processors& share :
           ShareOut(true, Paired(count, 2), OnEach(lanes))) {
        all.insert(all.end(), share.timed.begin(), share.timed.end());
        all.insert(all.end(), share.oracle.begin(), share.oracle.end());
        EXPECT_TRUE(NothingIsShared(share) || !share.others.empty());
      }
      std::ranges::sort(all);
      EXPECT_TRUE(std::ranges::adjacent_find(all) == all.end())
          << count << " processors, " << lanes << " lanes";
    }
}

TEST(ShareOut, OfThisMachineTakesWhatThisProcessMayUse) {
  const Processors shares = ShareOut(false, OnEach(1)).at(0);
  EXPECT_EQ(
      shares.timed.size() + shares.others.size(),
      CountOfThisThread() < 2 ? 0U : static_cast<size_t>(CountOfThisThread()));
}

TEST(RunOn, MovesThisThreadWhileItLives) {
  const Processors shares = ShareOut(false, OnEach(1)).at(0);
  if (shares.timed.empty()) GTEST_SKIP() << "one processor";
  const int before = CountOfThisThread();
  {
    const RunOn there(shares.timed);
    EXPECT_EQ(CountOfThisThread(), static_cast<int>(shares.timed.size()));
    const int here = ::sched_getcpu();
    EXPECT_TRUE(std::ranges::find(shares.timed, here) != shares.timed.end());
  }
  EXPECT_EQ(CountOfThisThread(), before);
}

TEST(RunOn, NothingMovesNothing) {
  const int before = CountOfThisThread();
  const RunOn nowhere({});
  EXPECT_EQ(CountOfThisThread(), before);
}

}  // namespace
}  // namespace kb::lane
