#include <gtest/gtest.h>

#include "shared_options.h"

namespace kb::cli {
namespace {

int64_t Turns(std::vector<std::string> items, const std::string& problem,
              double minutes = 0) {
  ConversationChoice choice;
  choice.turns = std::move(items);
  choice.minutes = minutes;
  const auto limits = LimitsOf(choice, problem, nullptr);
  EXPECT_TRUE(limits) << limits.error().message();
  return limits ? limits->turns : -1;
}

TEST(LimitsOf, ALevelsOwnNumberCountsMoreThanThatOfAll) {
  EXPECT_EQ(Turns({}, "level1/19"), 1);
  EXPECT_EQ(Turns({"10"}, "level1/19"), 10);
  EXPECT_EQ(Turns({"level1=10", "level2=12"}, "level2/3"), 12);
  EXPECT_EQ(Turns({"1=10", "5"}, "level1/19"), 10);
  EXPECT_EQ(Turns({"1=10", "5"}, "level2/3"), 5);
  EXPECT_EQ(Turns({"v3/level1=15"}, "v3/level1/4"), 15);
  EXPECT_EQ(Turns({"level1=10"}, "level3/1"), 1);
}

TEST(LimitsOf, MinutesAloneLeaveTheNumberOpen) {
  EXPECT_GT(Turns({}, "level1/19", 15), 100);
  EXPECT_EQ(Turns({"3"}, "level1/19", 15), 3);
}

TEST(LimitsOf, ASelectionSaysTurnsAndTime) {
  const problems::Limits of_v3{10, 900};
  ConversationChoice choice;
  choice.turns = {"selection"};
  EXPECT_EQ(*LimitsOf(choice, "v3/level1/4", &of_v3), of_v3);
  EXPECT_FALSE(LimitsOf(choice, "level1/4", nullptr));
  choice.turns = {"v3/level1=3", "selection"};
  EXPECT_EQ(*LimitsOf(choice, "v3/level1/4", &of_v3),
            (problems::Limits{3, 900}));
  choice.minutes = 2;
  EXPECT_EQ(*LimitsOf(choice, "v3/level1/4", &of_v3),
            (problems::Limits{3, 120}));
  choice.turns = {"5"};
  EXPECT_EQ(*LimitsOf(choice, "v3/level1/4", &of_v3),
            (problems::Limits{5, 120}));
}

TEST(LimitsOf, NonsenseIsAUsageError) {
  for (const char* item : {"0", "-1", "many", "10x", "=3", "level1=", "1.5"}) {
    ConversationChoice choice;
    choice.turns = {item};
    const auto limits = LimitsOf(choice, "level1/19", nullptr);
    ASSERT_FALSE(limits) << item;
    EXPECT_EQ(limits.error().kind(), base::Error::Kind::kUsage) << item;
  }
}

}  // namespace
}  // namespace kb::cli
