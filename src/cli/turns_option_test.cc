#include <gtest/gtest.h>

#include "shared_options.h"

namespace kb::cli {
namespace {

int64_t Turns(std::vector<std::string> items, const std::string& problem,
              double minutes = 0) {
  ConversationChoice choice;
  choice.turns = std::move(items);
  choice.minutes = minutes;
  const auto turns = TurnsOf(choice, problem);
  EXPECT_TRUE(turns) << turns.error().message();
  return turns.value_or(-1);
}

TEST(TurnsOf, ALevelsOwnNumberCountsMoreThanThatOfAll) {
  EXPECT_EQ(Turns({}, "level1/19"), 1);
  EXPECT_EQ(Turns({"10"}, "level1/19"), 10);
  EXPECT_EQ(Turns({"level1=10", "level2=12"}, "level2/3"), 12);
  EXPECT_EQ(Turns({"1=10", "5"}, "level1/19"), 10);
  EXPECT_EQ(Turns({"1=10", "5"}, "level2/3"), 5);
  EXPECT_EQ(Turns({"v3/level1=15"}, "v3/level1/4"), 15);
  EXPECT_EQ(Turns({"level1=10"}, "level3/1"), 1);
}

TEST(TurnsOf, MinutesAloneLeaveTheNumberOpen) {
  EXPECT_GT(Turns({}, "level1/19", 15), 100);
  EXPECT_EQ(Turns({"3"}, "level1/19", 15), 3);
}

TEST(TurnsOf, NonsenseIsAUsageError) {
  for (const char* item : {"0", "-1", "many", "10x", "=3", "level1=", "1.5"}) {
    ConversationChoice choice;
    choice.turns = {item};
    const auto turns = TurnsOf(choice, "level1/19");
    ASSERT_FALSE(turns) << item;
    EXPECT_EQ(turns.error().kind(), base::Error::Kind::kUsage) << item;
  }
}

}  // namespace
}  // namespace kb::cli
