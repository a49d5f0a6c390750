#include "jail/gaps.h"

#include <gtest/gtest.h>

namespace kb::jail {
namespace {

std::vector<std::string> Names(Isolation level, const Ground& ground) {
  std::vector<std::string> names;
  for (const Gap& gap : GapsOf(level, ground)) names.push_back(gap.name);
  return names;
}

std::string WhyNot(const std::string& wanted, Isolation level,
                   const Ground& ground) {
  return WhyTooWeak(wanted, level, GapsOf(level, ground)).value();
}

using Words = std::vector<std::string>;
constexpr Ground kBest{true, 7, false};
constexpr Ground kOldKernel{false, 2, false};
constexpr Ground kOldKernelAsRoot{false, 2, true};

TEST(Gaps, WhatIsNotHeldIsNamed) {
  EXPECT_EQ(Names(Isolation::kReduced, kBest), Words{});
  EXPECT_EQ(Names(Isolation::kReduced, kOldKernel),
            (Words{"memory", "signals", "files"}));
  EXPECT_EQ(Names(Isolation::kReduced, {true, 5, false}), Words{"signals"});
}

TEST(Gaps, AnotherUserAndNamespacesNeedNoLandlock) {
  EXPECT_EQ(Names(Isolation::kReduced, kOldKernelAsRoot), Words{"memory"});
  EXPECT_EQ(Names(Isolation::kFull, kOldKernel), Words{"memory"});
  EXPECT_EQ(Names(Isolation::kNone, kOldKernel), Words{});
}

TEST(Gaps, APolicyCanRefuseThem) {
  EXPECT_EQ(WhyNot("reduced", Isolation::kReduced, kOldKernel), "");
  EXPECT_NE(WhyNot("reduced+memory", Isolation::kReduced, kOldKernel), "");
  EXPECT_NE(WhyNot("reduced+signals", Isolation::kReduced, kOldKernel), "");
  EXPECT_EQ(WhyNot("reduced+signals", Isolation::kReduced, kOldKernelAsRoot),
            "");
  EXPECT_EQ(WhyNot("reduced+memory+signals+files", Isolation::kReduced, kBest),
            "");
  EXPECT_NE(WhyNot("full+memory", Isolation::kReduced, kBest), "");
}

TEST(Gaps, WordsThatNobodyKnowsAreErrors) {
  for (const char* wanted : {"", "best", "reduced+", "reduced+time", "+memory"})
    EXPECT_FALSE(WhyTooWeak(wanted, Isolation::kFull, {})) << wanted;
}

}  // namespace
}  // namespace kb::jail
