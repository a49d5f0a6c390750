#include "context_choice.h"

#include <gtest/gtest.h>

namespace kb::candidate {
namespace {

TEST(ContextChoice, TakesTheFirstThatIsAsFastAsTheKnown) {
  ContextChoice choice(1.46);
  EXPECT_FALSE(choice.Keep(1.58));
  EXPECT_FALSE(choice.Keep(1.55));
  EXPECT_TRUE(choice.Keep(1.49));
  EXPECT_EQ(choice.fastest_us(), 1.46);
}

TEST(ContextChoice, LooksAtSeveralWhereNoneIsKnown) {
  ContextChoice choice(0);
  for (const double micros : {1.58, 1.46, 1.47})
    EXPECT_FALSE(choice.Keep(micros));
  EXPECT_FALSE(choice.Keep(1.58));  // the fourth, but a slow one
  EXPECT_TRUE(choice.Keep(1.45));
  EXPECT_EQ(choice.fastest_us(), 1.45);
}

TEST(ContextChoice, AFasterOneThanKnownIsWelcome) {
  ContextChoice choice(1.58);
  EXPECT_TRUE(choice.Keep(1.46));
  EXPECT_EQ(choice.fastest_us(), 1.46);
}

TEST(ContextChoice, DoesNotLookForever) {
  ContextChoice choice(1.0);
  int opened = 1;
  while (!choice.Keep(2.0)) ++opened;
  EXPECT_EQ(opened, 12);
}

}  // namespace
}  // namespace kb::candidate
