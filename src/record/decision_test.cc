#include "record/decision.h"

#include <gtest/gtest.h>

namespace kb::record {
namespace {

TEST(DecisionTest, AskComesBackFromJson) {
  const Ask ask{7, AskKind::kCrossover, {3, 5}, "island 2"};
  const auto back = AskFromJson(ToJson(ask));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, ask);
}

TEST(DecisionTest, ToldComesBackFromJson) {
  Told told;
  told.turn = 3;
  told.status = GenerationStatus::kComplete;
  told.verdict = Verdict::kCorrect;
  told.speedup = 1.0 / 3;
  told.approaches = {"shared memory"};
  told.seconds = 2.5;
  for (const Told& each : {told, Told{}}) {
    const auto back = ToldFromJson(ToJson(each));
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, each);
  }
}

TEST(DecisionTest, UnknownWordsAreRefused) {
  base::Json ask = ToJson(Ask{});
  ask["kind"] = "prayer";
  EXPECT_FALSE(AskFromJson(ask));
  base::Json told = ToJson(Told{});
  told["verdict"] = "nice";
  EXPECT_FALSE(ToldFromJson(told));
  EXPECT_FALSE(AskFromJson(base::Json::object()));
}

}  // namespace
}  // namespace kb::record
