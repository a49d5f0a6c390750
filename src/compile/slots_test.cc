#include "compile/slots.h"

#include <gtest/gtest.h>

namespace kb::compile {
namespace {

constexpr uint64_t kGibibyte = uint64_t{1} << 30;

TEST(BuildSlots, AreOneForThreeProcessors) {
  EXPECT_EQ(BuildSlots(12, 100 * kGibibyte), 4);
  EXPECT_EQ(BuildSlots(48, 500 * kGibibyte), 16);
  EXPECT_EQ(BuildSlots(1, 100 * kGibibyte), 2);
  EXPECT_EQ(BuildSlots(12, std::nullopt), 4);
}

TEST(BuildSlots, AreFewerWhereMemoryIsShort) {
  EXPECT_EQ(BuildSlots(48, 10 * kGibibyte), 5);
  EXPECT_EQ(BuildSlots(48, kGibibyte / 2), 1);
}

}  // namespace
}  // namespace kb::compile
