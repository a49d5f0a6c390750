#include "edit_distance.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "natural_order.h"

namespace kb::problems {
namespace {

using Words = std::vector<std::string>;

TEST(EditDistance, IsThatOfTheTextbook) {
  EXPECT_EQ(EditDistance("", ""), 0U);
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance("saturday", "sunday"), 3U);
  EXPECT_EQ(EditDistance("ab", "ba"), 1U) << "neighbours were swapped";
  EXPECT_EQ(EditDistance("ca", "abc"), 3U) << "the restricted kind";
}

TEST(EditDistance, IsTheSameFromBothSides) {
  const Words words{"model", "modle", "Model", "", "modelnew", "led"};
  for (const std::string& a : words)
    for (const std::string& b : words) {
      EXPECT_EQ(EditDistance(a, b), EditDistance(b, a)) << a << " " << b;
      EXPECT_EQ(EditDistance(a, b) == 0, a == b);
    }
}

TEST(NaturalOrder, LeadingZerosAndLongNumbersAreNumbers) {
  EXPECT_TRUE(NaturallyLess("007", "8"));
  EXPECT_TRUE(NaturallyLess("99999999999999999998", "99999999999999999999"));
  EXPECT_TRUE(NaturallyLess("a2b10", "a2b11"));
  EXPECT_TRUE(NaturallyLess("a", "a1"));
}

TEST(NaturalOrder, OfDifferentTextsOneIsAlwaysLess) {
  const Words words{"", "1", "01", "001", "10", "1a", "01a", "a1", "a01", "a"};
  for (const std::string& a : words) {
    EXPECT_FALSE(NaturallyLess(a, a)) << a;
    for (const std::string& b : words)
      EXPECT_EQ(NaturallyLess(a, b) != NaturallyLess(b, a), a != b);
  }
}

}  // namespace
}  // namespace kb::problems
