#include "output_place.h"

#include <gtest/gtest.h>

#include <array>

namespace kb::candidate {
namespace {

class CallsShareMemoryTest : public testing::Test {
 protected:
  OutputPlace At(size_t offset, size_t bytes, size_t call) const {
    return {memory_.data() + offset, bytes, call};
  }

  std::array<std::byte, 256> memory_{};
};

TEST_F(CallsShareMemoryTest, NotWhereEachCallHasItsOwn) {
  EXPECT_FALSE(CallsShareMemory({}));
  EXPECT_FALSE(CallsShareMemory({At(0, 64, 0)}));
  EXPECT_FALSE(CallsShareMemory({At(64, 64, 0), At(0, 64, 1)}));
  EXPECT_FALSE(CallsShareMemory({At(64, 64, 0), At(128, 64, 1), At(0, 64, 2)}));
}

TEST_F(CallsShareMemoryTest, WhereOneBufferIsReturnedAgain) {
  EXPECT_TRUE(CallsShareMemory({At(0, 64, 0), At(0, 64, 1)}));
  EXPECT_TRUE(CallsShareMemory({At(64, 64, 0), At(0, 65, 1)})) << "in part";
  EXPECT_TRUE(CallsShareMemory({At(0, 256, 0), At(8, 1, 0), At(100, 8, 1)}));
}

// Two buffers in turn: only the third call finds the first one's.
TEST_F(CallsShareMemoryTest, WhereBuffersTakeTurns) {
  EXPECT_FALSE(CallsShareMemory({At(0, 64, 0), At(64, 64, 1)}));
  EXPECT_TRUE(CallsShareMemory({At(0, 64, 0), At(64, 64, 1), At(0, 64, 2)}));
}

TEST_F(CallsShareMemoryTest, OneCallMayReturnTheSameTwice) {
  EXPECT_FALSE(CallsShareMemory({At(0, 64, 0), At(0, 64, 0), At(64, 64, 1)}));
}

TEST_F(CallsShareMemoryTest, NothingIsNowhere) {
  EXPECT_FALSE(CallsShareMemory({At(0, 0, 0), At(0, 0, 1), At(0, 64, 2)}));
}

}  // namespace
}  // namespace kb::candidate
