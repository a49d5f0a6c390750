#include "report/profile.h"

#include <gtest/gtest.h>

#include <string>

#include "report/details.h"
#include "text_fixture.h"

namespace kb::report {
namespace {

using record::Activity;
using record::Evaluation;
using record::Origin;
using record::Verdict;

Evaluation Profiled() {
  Evaluation e;
  e.problem_id = "level1/19";
  e.candidate.name = "relu.cu";
  e.device.device = "cuda:0";
  e.isolation = "full";
  e.verdict = Verdict::kCorrect;
  e.candidate_time.emplace().median = 37;
  record::Profile& profile = e.profile.emplace();
  Activity& activity = profile.activity;
  activity.method = "cupti";
  activity.samples = 12;
  activity.calls = 4;
  activity.call_us = 40;
  activity.busy_us = 36;
  Activity::Part kernel{
      Origin::kOwn, "relu(float*)", "candidate.so", 0.75, 2, 0, {}};
  kernel.launch = Activity::Launch{{4096, 2, 1}, {256, 1, 1}, 32, 0, 1024, 16};
  Activity::Part copy{
      Origin::kCopies, "device to device", "", 0.25, 1, 2e6, {}};
  activity.parts = {kernel, copy};
  profile.occupancies = {record::Profile::Occupancy{1, "threads"},
                         std::nullopt};
  profile.limiter = "memory";
  profile.figures = {
      {"memory bandwidth", 3700.4, "GB/s", 4054.0, "It is much."},
      {"launch gaps", 10, "%", std::nullopt, "There are few."}};
  return e;
}

TEST(RenderProfile, SaysWhatHoldsItBackFirst) {
  EXPECT_EQ(
      RenderProfile(Profiled(), false),
      "correct  level1/19 relu.cu (cuda:0, full, fp32)\n"
      "  held back by  memory\n"
      "  a call        40.0 us, 36.0 us of it with work on the device; "
      "12 kernels and copies in 4 calls\n"
      "  certified     37.0 us, seen by nobody while it was read\n"
      "  memory bandwidth  3700 of 4054 GB/s       It is much.\n"
      "  launch gaps       10 %                    There are few.\n"
      "  where\n"
      "    75 % own relu(float*) in candidate.so, 2 in a call, 13.5 us "
      "each\n"
      "      grid 4096x2, block 256, 32 registers, 0 + 1024 bytes shared, "
      "16 bytes local, occupancy 100 % by threads\n"
      "    25 % copies device to device, 1 in a call, 9.00 us each, 2 MB "
      "a call\n");
  EXPECT_TRUE(Has(RenderDetails(Profiled(), false),
                  "  held back   by memory\n              It is much.\n"));
}

TEST(RenderProfile, WithoutOneItSaysWhy) {
  Evaluation e = Profiled();
  e.profile.reset();
  e.reason = "all outputs agree";
  e.notes = {"where its time goes is not known: no CUPTI"};
  const std::string text = RenderProfile(e, true);
  EXPECT_TRUE(Has(text, "reason        all outputs agree\n"));
  EXPECT_TRUE(Has(text, "no CUPTI\n"));
  EXPECT_FALSE(Has(text, "held back"));
}

TEST(RenderProfile, WhatItsProcessWroteStaysOnItsLine) {
  Evaluation e = Profiled();
  e.profile->activity.parts[0].name = "x\n  held back by  magic\033[2J";
  e.profile->figures[0].meaning = e.profile->limiter = "y\nz\033[2J";
  for (const std::string& text :
       {RenderProfile(e, false), RenderDetails(e, false)}) {
    EXPECT_FALSE(Has(text, "\033"));
    EXPECT_FALSE(Has(text, "\n  held back by  magic"));
    EXPECT_FALSE(Has(text, "\nz"));
  }
}

}  // namespace
}  // namespace kb::report
