#include "hiding.h"

#include <gtest/gtest.h>

namespace kb::oracle {
namespace {

using record::Launches;

constexpr Hiding kBothHidden{Launches::kHidden, Launches::kHidden};
constexpr Hiding kBothCaptured{Launches::kCaptured, Launches::kCaptured};
constexpr Hiding kBothPartly{Launches::kPartlyHidden, Launches::kPartlyHidden};
constexpr Hiding kBothShown{Launches::kShown, Launches::kShown};

TEST(Hiding, MoreLaunchesThanTheQueueHoldsAreCaptured) {
  EXPECT_EQ(AfterBlocking(kBothHidden, Blocked{true, true, false}),
            kBothCaptured);
  EXPECT_EQ(AfterBlocking(kBothHidden, Blocked{true, false, false}),
            kBothCaptured)
      << "one side's gaps alone would be smaller";
}

TEST(Hiding, WhoCannotBeCapturedIsGivenTheGate) {
  const Hiding native =
      AfterBlocking(kBothCaptured, Blocked{false, true, false});
  EXPECT_EQ(native, (Hiding{Launches::kCaptured, Launches::kHidden}));
  EXPECT_EQ(AfterBlocking(native, Blocked{false, true, false}),
            (Hiding{Launches::kCaptured, Launches::kPartlyHidden}));
}

// A graph of torch.compile beside thousands of launches, say.
TEST(Hiding, OfABaselineThatCannotBeCapturedNeitherIsItsReference) {
  const Blocked alone{.candidate = true, .baseline = true};
  const Hiding gated = AfterBlocking(kBothCaptured, alone);
  EXPECT_EQ(gated, (Hiding{Launches::kCaptured, Launches::kHidden}))
      << "it may launch that graph alone";
  EXPECT_EQ(AfterBlocking(gated, alone), kBothPartly);
  EXPECT_EQ(AfterBlocking(kBothHidden, alone),
            (Hiding{Launches::kHidden, Launches::kPartlyHidden}))
      << "its own fault";
}

TEST(Hiding, AReferenceThatCannotBeCapturedIsReadAsItsCandidate) {
  EXPECT_EQ(AfterBlocking(kBothCaptured, Blocked{true, true, false}),
            kBothPartly);
  EXPECT_EQ(AfterBlocking(kBothCaptured, Blocked{true, false, false}),
            kBothPartly);
}

TEST(Hiding, ToBlockIsNoWayToBeCaptured) {
  const Hiding next = AfterBlocking(kBothHidden, Blocked{false, true, false});
  EXPECT_EQ(next, (Hiding{Launches::kHidden, Launches::kPartlyHidden}));
  EXPECT_NE(AfterBlocking(next, Blocked{false, true, false}).candidate,
            Launches::kCaptured);
}

TEST(Hiding, AReferenceThatWaitsHasNoAdvantageOverNobody) {
  EXPECT_EQ(AfterBlocking(kBothHidden, Blocked{true, false, true}), kBothShown);
  EXPECT_EQ(AfterBlocking(kBothHidden, Blocked{true, true, true}), kBothPartly);
}

TEST(Hiding, OnlyHiddenAndCapturedLaunchesAreOutOfAllTimes) {
  EXPECT_TRUE(kBothHidden.All());
  EXPECT_TRUE((Hiding{Launches::kCaptured, Launches::kHidden}).All());
  EXPECT_FALSE((Hiding{Launches::kCaptured, Launches::kPartlyHidden}).All());
  EXPECT_FALSE(kBothPartly.All());
  EXPECT_FALSE(kBothShown.All());
}

}  // namespace
}  // namespace kb::oracle
