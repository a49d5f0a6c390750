#include "base/words.h"

#include <gtest/gtest.h>

namespace kb::base {
namespace {

enum class Fruit { kNotSet, kApple, kPear };

constexpr Words<Fruit, 2> kFruits{
    {{Fruit::kPear, "pear"}, {Fruit::kApple, "apple"}}};

TEST(Words, EachIsListedOnceForBothDirections) {
  EXPECT_STREQ(kFruits.Of(Fruit::kApple), "apple");
  EXPECT_STREQ(kFruits.Of(Fruit::kPear), "pear");
  EXPECT_EQ(kFruits.Parse("apple"), Fruit::kApple);
  EXPECT_EQ(kFruits.Parse("pear"), Fruit::kPear);
  EXPECT_EQ(kFruits.List(), "pear, apple");
}

TEST(Words, WhatIsNotListedIsNothing) {
  EXPECT_STREQ(kFruits.Of(Fruit::kNotSet), "not_set");
  EXPECT_EQ(kFruits.Parse("not_set"), std::nullopt);
  EXPECT_EQ(kFruits.Parse("Pear"), std::nullopt);
  EXPECT_EQ(kFruits.Parse(""), std::nullopt);
}

}  // namespace
}  // namespace kb::base
