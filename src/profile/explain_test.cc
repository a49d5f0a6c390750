#include "profile/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kb::profile {
namespace {

using record::Activity;
using record::Origin;

double& ShareOf(Activity* activity, Origin origin) {
  return activity->shares.at(static_cast<size_t>(origin));
}

const record::Profile::Figure* Find(const record::Profile& profile,
                                    const std::string& name) {
  const auto found =
      std::ranges::find(profile.figures, name, &record::Profile::Figure::name);
  return found == profile.figures.end() ? nullptr : &*found;
}

// --- cpu ---

Activity OnCpu() {
  Activity activity;
  activity.method = "samples";
  activity.samples = 1000;
  activity.calls = 10;
  activity.call_us = 100;
  activity.busy_us = 195;
  activity.processors = 2;
  ShareOf(&activity, Origin::kOwn) = 1;
  activity.parts = {{Origin::kOwn, "kb_forward", "candidate.so", 0.75},
                    {Origin::kOwn, "exp", "libm.so.6", 0.25}};
  return activity;
}

std::string LimiterOf(const Activity& activity, const Grounds& grounds = {}) {
  const record::Profile profile = Explain(activity, grounds);
  EXPECT_FALSE(profile.figures.empty());
  for (const auto& figure : profile.figures)
    EXPECT_TRUE(figure.meaning.ends_with(".")) << figure.meaning;
  return profile.limiter;
}

TEST(ExplainOnCpu, NamesTheHottestFunction) {
  const record::Profile profile = Explain(OnCpu(), {});
  EXPECT_EQ(profile.limiter, "code");
  EXPECT_EQ(profile.figures.front().meaning,
            "kb_forward in candidate.so has 75 % of the time: were it free, a "
            "call would be 4 times as fast.");
  EXPECT_DOUBLE_EQ(Find(profile, "processors busy")->value, 1.95);
  EXPECT_DOUBLE_EQ(*Find(profile, "processors busy")->ceiling, 2);
  EXPECT_EQ(Find(profile, "memory bandwidth"), nullptr) << "nothing is known";
}

TEST(ExplainOnCpu, OneProcessorOfSeveralIsSerial) {
  Activity activity = OnCpu();
  activity.busy_us = 100;
  EXPECT_EQ(LimiterOf(activity), "serial");
  activity.processors = 1;
  EXPECT_EQ(LimiterOf(activity), "code");
}

TEST(ExplainOnCpu, TheInterpreterIsTheHost) {
  Activity activity = OnCpu();
  ShareOf(&activity, Origin::kOwn) = 0.4;
  ShareOf(&activity, Origin::kHost) = 0.6;
  EXPECT_EQ(LimiterOf(activity), "host");
}

TEST(ExplainOnCpu, TheRuntimeOfOpenMPWaits) {
  Activity activity = OnCpu();
  activity.parts[1].object = "libgomp.so.1";
  EXPECT_EQ(LimiterOf(activity), "code");
  activity.parts[0].share = 0.5;
  activity.parts[1].share = 0.5;
  EXPECT_EQ(LimiterOf(activity), "waiting");
}

TEST(ExplainOnCpu, FaultsAreTheSystems) {
  Activity activity = OnCpu();
  activity.system_us = 0.5 * activity.busy_us;
  activity.page_faults = 1024;
  const record::Profile profile = Explain(activity, {});
  EXPECT_EQ(profile.limiter, "system");
  EXPECT_NE(profile.figures.front().meaning.find("1024 page faults"),
            std::string::npos);
  activity.page_faults = 1;
  EXPECT_EQ(LimiterOf(activity), "code") << "the sampler's own signals";
}

// 3 MB in 100 us, 0.2 GFLOP.
TEST(ExplainOnCpu, RatesAreOfTheCertifiedTimeWhereThereIsOne) {
  Grounds grounds;
  grounds.bytes = 3e6;
  grounds.flops = 2e8;
  record::Profile profile = Explain(OnCpu(), grounds);
  EXPECT_DOUBLE_EQ(Find(profile, "memory bandwidth")->value, 30);
  EXPECT_DOUBLE_EQ(Find(profile, "arithmetic")->value, 2);
  EXPECT_FALSE(Find(profile, "arithmetic")->ceiling) << "not measured on cpu";
  grounds.time_us = 50;
  profile = Explain(OnCpu(), grounds);
  EXPECT_DOUBLE_EQ(Find(profile, "memory bandwidth")->value, 60);
}

// --- cuda ---

// One kernel of a copy's kind on an H200: 64 MiB read and written in 36 us.
Activity OnCuda() {
  Activity activity;
  activity.method = "cupti";
  activity.samples = 4;
  activity.calls = 4;
  activity.call_us = activity.busy_us = 36;
  ShareOf(&activity, Origin::kOwn) = 1;
  Activity::Part kernel{Origin::kOwn, "copy", "candidate.so", 1, 1, 0, {}};
  kernel.launch = Activity::Launch{{16384, 1, 1}, {256, 1, 1}, 16, 0, 0, 0};
  activity.parts = {kernel};
  return activity;
}

Grounds OnH200() {
  Grounds grounds;
  grounds.yardstick.ceilings = {4054, 52, 390, 760, 790};
  grounds.yardstick.limits = {132, 2048, 32, 65536, 233472, 1024};
  grounds.bytes = 2.0 * (64 << 20);
  return grounds;
}

TEST(ExplainOnCuda, NearTheBandwidthItIsMemory) {
  const record::Profile profile = Explain(OnCuda(), OnH200());
  EXPECT_EQ(profile.limiter, "memory");
  EXPECT_NEAR(profile.figures.front().value, 3728.3, 0.1);
  EXPECT_EQ(profile.figures.front().ceiling, 4054);
  ASSERT_TRUE(profile.occupancies.at(0));
  EXPECT_EQ(profile.occupancies.at(0)->share, 1);
}

TEST(ExplainOnCuda, NearTheOperationsItIsCompute) {
  Grounds grounds = OnH200();
  grounds.bytes /= 10;
  grounds.flops = 40e6 * 36;  // 40 TFLOP/s
  EXPECT_EQ(LimiterOf(OnCuda(), grounds), "compute");
  // The ceiling, and what was measured of cuBLAS the next day.
  grounds.flops = 52.3e6 * 36;
  EXPECT_EQ(LimiterOf(OnCuda(), grounds), "compute");
  // More than float32 can do is TF32, of which it is little.
  grounds.flops = 60e6 * 36;
  const record::Profile profile = Explain(OnCuda(), grounds);
  EXPECT_EQ(Find(profile, "arithmetic")->ceiling, 390);
  EXPECT_EQ(profile.limiter, "latency");
  grounds.precision = record::Precision::kFp16;
  grounds.flops = 600e6 * 36;
  EXPECT_EQ(Find(Explain(OnCuda(), grounds), "arithmetic")->ceiling, 760);
  EXPECT_EQ(LimiterOf(OnCuda(), grounds), "compute");
}

// Tracing made it 36 us.
TEST(ExplainOnCuda, RatesAreOfTheCertifiedTimeWhereThatIsLess) {
  Grounds grounds = OnH200();
  grounds.time_us = 32;
  EXPECT_NEAR(Explain(OnCuda(), grounds).figures.front().value, 4194.3, 0.1);
  grounds.time_us = 40;
  EXPECT_NEAR(Explain(OnCuda(), grounds).figures.front().value, 3728.3, 0.1);
}

TEST(ExplainOnCuda, ManySmallKernelsAreLaunches) {
  Activity activity = OnCuda();
  activity.parts[0].count = 20;
  EXPECT_EQ(LimiterOf(activity, OnH200()), "memory");
  activity.busy_us = 20;
  Grounds grounds = OnH200();
  grounds.bytes /= 10;
  EXPECT_EQ(LimiterOf(activity, grounds), "launches") << "16 of 36 us are gaps";
  activity.busy_us = 35;
  EXPECT_EQ(LimiterOf(activity, grounds), "latency");
  grounds.time_us = 36;
  grounds.wall_us = 90;
  const record::Profile profile = Explain(activity, grounds);
  EXPECT_EQ(profile.limiter, "launches");
  EXPECT_DOUBLE_EQ(Find(profile, "host time")->value, 90);
}

TEST(ExplainOnCuda, CopiesAreNamed) {
  Activity activity = OnCuda();
  activity.parts[0].share = 0.4;
  ShareOf(&activity, Origin::kOwn) = 0.4;
  ShareOf(&activity, Origin::kCopies) = 0.6;
  EXPECT_EQ(LimiterOf(activity, OnH200()), "copies");
}

TEST(ExplainOnCuda, WhatIsNearNoCeilingHasItsReasonInTheLaunch) {
  Grounds grounds = OnH200();
  grounds.bytes /= 10;
  Activity activity = OnCuda();
  auto& launch = *activity.parts[0].launch;
  EXPECT_EQ(LimiterOf(activity, grounds), "latency");
  launch.registers = 255;
  EXPECT_EQ(LimiterOf(activity, grounds), "occupancy");
  launch.grid = {40, 1, 1};
  EXPECT_EQ(LimiterOf(activity, grounds), "parallelism");
  launch.local_bytes = 40;
  EXPECT_EQ(LimiterOf(activity, grounds), "parallelism");
  launch.local_bytes = 120;
  EXPECT_EQ(LimiterOf(activity, grounds), "spills");
  activity.parts[0].origin = Origin::kLibrary;
  EXPECT_EQ(LimiterOf(activity, grounds), "parallelism");
}

// Of nothing but what a jail may say.
TEST(Explain, OddActivitiesHaveALimiter) {
  for (const char* method : {"samples", "cupti"}) {
    Activity empty;
    empty.method = method;
    EXPECT_FALSE(Explain(empty, {}).limiter.empty());
    Activity odd = OnCuda();
    odd.method = method;
    odd.call_us = 0;
    odd.busy_us = 1e15;
    odd.parts[0].launch->grid = {INT32_MAX, INT32_MAX, INT32_MAX};
    odd.parts[0].name = std::string(400, 'x');
    const record::Profile profile = Explain(odd, OnH200());
    EXPECT_FALSE(profile.limiter.empty());
    EXPECT_TRUE(record::ProfileFromJson(record::ToJson(profile)));
  }
}

}  // namespace
}  // namespace kb::profile
