#include "line_change.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::report {
namespace {

using Change = std::optional<LineChange>;

TEST(LineChange, CountsWhatIsAddedAndWhatIsRemoved) {
  EXPECT_EQ(LineChangeOf("a\nb\nc\n", "a\nb\nc\n"), Change({0, 0}));
  EXPECT_EQ(LineChangeOf("a\nb\nc\n", "a\nx\nc\n"), Change({1, 1}));
  EXPECT_EQ(LineChangeOf("a\nb\nc\n", "a\nc\n"), Change({0, 1}));
  EXPECT_EQ(LineChangeOf("a\nc\n", "0\na\nb\nc\nd\n"), Change({3, 0}));
}

// The example of Myers' paper: five steps, of which two add.
TEST(LineChange, TakesTheShortestWay) {
  EXPECT_EQ(LineChangeOf("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc"),
            Change({2, 3}));
}

TEST(LineChange, NewlineAtTheEndIsNoLine) {
  EXPECT_EQ(LineChangeOf("a\nb", "a\nb\n"), Change({0, 0}));
  EXPECT_EQ(LineChangeOf("", "a\n"), Change({1, 1})) << "\"\" is a blank line";
}

TEST(LineChange, OfTwoThatHaveNothingInCommonItSaysNothing) {
  std::string before;
  std::string after;
  for (int i = 0; i < 800; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(LineChangeOf(before, after), std::nullopt);
}

}  // namespace
}  // namespace kb::report
