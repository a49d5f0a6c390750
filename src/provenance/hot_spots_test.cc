#include "hot_spots.h"

#include <gtest/gtest.h>

#include <cmath>

#include "effort.h"

namespace kb::provenance {
namespace {

using record::Activity;
using record::Origin;

// The compiler may neither join nor inline them: each has a name of its own.
[[gnu::noinline]] double Long(double x) { return std::sqrt(x) + 1; }
[[gnu::noinline]] double Short(double x) { return std::sqrt(x) + 2; }

double ShareOf(const Activity& activity, const std::string& name) {
  for (const Activity::Part& part : activity.parts)
    if (part.name.find(name) != std::string::npos) return part.share;
  return 0;
}

TEST(HotSpots, AFunctionHasTheShareOfItsLooks) {
  const Objects objects = Objects::Loaded();
  HotSpots spots;
  const auto look = [&](double (*function)(double), uintptr_t further) {
    const auto address = reinterpret_cast<uintptr_t>(function) + further;
    spots.Add(Origin::kOwn, objects.Of(address), address);
  };
  for (const uintptr_t further : {0U, 1U, 4U}) look(&Long, further);
  look(&Short, 0);
  for (int i = 0; i < 4; ++i) spots.Add(Origin::kFramework, nullptr, 12345);
  const auto sum = spots.Sum();
  ASSERT_TRUE(sum) << sum.error().message();
  EXPECT_EQ(sum->samples, 8);
  EXPECT_DOUBLE_EQ(ShareOf(*sum, "Long(double)"), 0.375);
  EXPECT_DOUBLE_EQ(ShareOf(*sum, "Short(double)"), 0.125);
  EXPECT_EQ(sum->parts.front().object, "memory") << "nobody's file";
  EXPECT_DOUBLE_EQ(sum->shares[static_cast<size_t>(Origin::kOwn)], 0.5);
  EXPECT_DOUBLE_EQ(sum->shares[static_cast<size_t>(Origin::kFramework)], 0.5);
  EXPECT_TRUE(std::isfinite(Long(4) + Short(4)));
}

TEST(HotSpots, WithoutLooksThereAreNone) { EXPECT_FALSE(HotSpots().Sum()); }

double BusySeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

// 0.2 s of one processor in four calls; a busy machine takes longer.
TEST(Effort, IsOfACall) {
  Effort effort;
  for (int chain = 0; chain < 2; ++chain) {
    effort.Begin();
    for (const double end = BusySeconds() + 0.1; BusySeconds() < end;) {
    }
    effort.End(2);
  }
  Activity activity;
  effort.Tell(&activity);
  EXPECT_EQ(activity.calls, 4);
  EXPECT_NEAR(activity.busy_us, 50'000, 5'000);
  EXPECT_GE(activity.call_us, 49'000);
  EXPECT_GE(activity.processors, 1);
}

}  // namespace
}  // namespace kb::provenance
