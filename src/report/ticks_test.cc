#include "ticks.h"

#include <gtest/gtest.h>

namespace kb::report {
namespace {

TEST(RoundStep, IsTheLeastRoundOneThatIsNotTooSmall) {
  EXPECT_DOUBLE_EQ(RoundStep(8, 8), 1);
  EXPECT_DOUBLE_EQ(RoundStep(8.1, 8), 2);
  EXPECT_DOUBLE_EQ(RoundStep(30, 8), 5);
  EXPECT_DOUBLE_EQ(RoundStep(41, 8), 10);
  EXPECT_DOUBLE_EQ(RoundStep(0.4, 8), 0.05);
  EXPECT_DOUBLE_EQ(RoundStep(600, 3), 200);
}

}  // namespace
}  // namespace kb::report
