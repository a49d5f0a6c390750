#include "sampler.h"

#include <gtest/gtest.h>
#include <time.h>

#include <cmath>

namespace kb::provenance {
namespace {

using record::Origin;

double SecondsOfThread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

// Works in this program, and in libm for it.
double Work() {
  double sum = 0;
  for (const double end = SecondsOfThread() + 0.05; SecondsOfThread() < end;)
    for (int i = 0; i < 1000; ++i) sum += std::sin(sum + i);
  return sum;
}

TEST(Sampler, ALibrarysTimeIsItsCallers) {
  const auto sampler = NewSampler();
  ASSERT_TRUE(sampler) << sampler.error().message();
  (*sampler)->Begin();
  EXPECT_TRUE(std::isfinite(Work()));
  (*sampler)->End(1);
  const auto seen = (*sampler)->Tell();
  ASSERT_TRUE(seen) << seen.error().message();
  EXPECT_EQ(seen->method, "samples");
  EXPECT_GT(seen->samples, 20);
  // This program stands for the host that looks.
  EXPECT_GT(seen->share(Origin::kHost), 0.9) << DescribeShares(*seen);
  EXPECT_EQ(seen->own_share(), 0);
}

TEST(Sampler, WhatWeDoForACallIsNoPartOfIt) {
  const auto sampler = NewSampler();
  ASSERT_TRUE(sampler);
  (*sampler)->Begin();
  EXPECT_TRUE(std::isfinite(Work()));
  (*sampler)->End(1);
  ASSERT_TRUE((*sampler)->Tell());
  EXPECT_FALSE((*sampler)->TellActivity());
}

TEST(Sampler, NothingIsSeenOutside) {
  const auto sampler = NewSampler();
  ASSERT_TRUE(sampler);
  EXPECT_TRUE(std::isfinite(Work()));
  EXPECT_FALSE((*sampler)->Tell());
}

}  // namespace
}  // namespace kb::provenance
