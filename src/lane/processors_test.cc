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
    EXPECT_TRUE(NothingIsShared(ShareOut(cuda, {})));
    EXPECT_TRUE(NothingIsShared(ShareOut(cuda, {3})));
  }
}

TEST(ShareOut, OfTwoOnCpuEachGetsOne) {
  const Processors shares = ShareOut(false, {4, 9});
  EXPECT_EQ(shares.timed, (std::vector<int>{9}));
  EXPECT_EQ(shares.others, (std::vector<int>{4}));
  EXPECT_EQ(shares.oracle, shares.others) << "timed work would take its time";
}

TEST(ShareOut, OnCpuThreeQuartersAreTimed) {
  const Processors four = ShareOut(false, Numbered(4));
  EXPECT_EQ(four.timed, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(four.others, (std::vector<int>{0}));
  const Processors sixteen = ShareOut(false, Numbered(16));
  EXPECT_EQ(sixteen.timed, Numbered(12, 4));
  EXPECT_EQ(sixteen.others, Numbered(4));
}

TEST(ShareOut, WithAGpuFewProcessorsAreNotShared) {
  for (const int count : {2, 4, 7})
    EXPECT_TRUE(NothingIsShared(ShareOut(true, Numbered(count)))) << count;
}

TEST(ShareOut, WithAGpuAQuarterIsTimed) {
  const Processors eight = ShareOut(true, Numbered(8));
  EXPECT_EQ(eight.timed, (std::vector<int>{6, 7}));
  EXPECT_EQ(eight.others, Numbered(6));
  EXPECT_EQ(eight.oracle, eight.timed) << "builds would take its time";
  const Processors sixteen = ShareOut(true, Numbered(16));
  EXPECT_EQ(sixteen.timed, Numbered(4, 12));
  EXPECT_EQ(sixteen.others, Numbered(12));
}

TEST(ShareOut, EveryProcessorHasOneUseAndNoOtherIsTaken) {
  for (const bool cuda : {false, true})
    for (int count = 0; count < 40; ++count) {
      const std::vector<int> usable = Numbered(count, 5);
      const Processors shares = ShareOut(cuda, usable);
      if (NothingIsShared(shares)) continue;
      EXPECT_FALSE(shares.timed.empty());
      EXPECT_FALSE(shares.others.empty());
      std::vector<int> all = shares.others;
      all.insert(all.end(), shares.timed.begin(), shares.timed.end());
      EXPECT_EQ(all, usable) << count;
    }
}

TEST(ShareOut, OfThisMachineTakesWhatThisProcessMayUse) {
  const Processors shares = ShareOut(false);
  EXPECT_EQ(
      shares.timed.size() + shares.others.size(),
      CountOfThisThread() < 2 ? 0U : static_cast<size_t>(CountOfThisThread()));
}

TEST(RunOn, MovesThisThreadWhileItLives) {
  const Processors shares = ShareOut(false);
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
