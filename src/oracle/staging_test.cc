#include "staging.h"

#include <gtest/gtest.h>

namespace kb::oracle {
namespace {

// What an H200 read for a small problem.
constexpr Staging kMeasured{91, 103, 303, 32};

TEST(Staging, OwnWorkAloneIsNotDisturbed) {
  EXPECT_FALSE(kMeasured.IsDisturbed(94, 0));
  EXPECT_FALSE(kMeasured.IsDisturbed(122, 1));
  EXPECT_FALSE(kMeasured.IsDisturbed(159, 4));
  EXPECT_FALSE(kMeasured.IsDisturbed(359, 32));
}

// Two switches between processes, 75 us each at least.
TEST(Staging, AVisitIsSeen) {
  EXPECT_TRUE(kMeasured.IsDisturbed(91 + 150, 0));
  EXPECT_TRUE(kMeasured.IsDisturbed(103 + 150, 1));
  EXPECT_TRUE(kMeasured.IsDisturbed(122 + 150, 4));
  EXPECT_TRUE(kMeasured.IsDisturbed(303 + 150, 32));
}

TEST(Staging, WhatWasNotMeasuredIsNotJudged) {
  EXPECT_FALSE(Staging{}.IsDisturbed(1e6, 1));
}

}  // namespace
}  // namespace kb::oracle
