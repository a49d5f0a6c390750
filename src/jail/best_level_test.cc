#include "linux/best_level.h"

#include <gtest/gtest.h>

namespace kb::jail {
namespace {

using base::Result;

TEST(BestLevel, TheBestThatWorks) {
  const BestLevel best = FindBestLevel([](Isolation level) -> Result<void> {
    if (level == Isolation::kFull) return base::Fail("no namespaces");
    return base::Ok();
  });
  EXPECT_EQ(best.level, Isolation::kReduced);
  EXPECT_EQ(best.why_not_better, "no namespaces");
}

TEST(BestLevel, AJailThatSomebodyKilledMakesTheNextNoWeaker) {
  int killed = 2;
  const BestLevel best = FindBestLevel([&](Isolation) -> Result<void> {
    if (killed-- > 0) return base::Fail("killed by signal 9");
    return base::Ok();
  });
  EXPECT_EQ(best.level, Isolation::kFull);
  EXPECT_EQ(best.why_not_better, "");
}

TEST(BestLevel, NoneWhereNothingWorks) {
  int attempts = 0;
  const BestLevel best = FindBestLevel([&](Isolation level) -> Result<void> {
    ++attempts;
    return base::Fail("{} fails", IsolationName(level));
  });
  EXPECT_EQ(best.level, Isolation::kNone);
  EXPECT_EQ(best.why_not_better, "full fails; reduced fails");
  EXPECT_EQ(attempts, 6);
}

}  // namespace
}  // namespace kb::jail
