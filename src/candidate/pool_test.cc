#include "pool.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace kb::candidate {
namespace {

constexpr size_t kMega = size_t{1} << 20;

class PoolTest : public testing::Test {
 protected:
  void SetUp() override {
    auto device = device::Device::Open("cpu");
    ASSERT_TRUE(device);
    device_ = std::move(*device);
    auto memory = device_->Allocate(32 * kMega);
    ASSERT_TRUE(memory);
    memory_ = std::move(*memory);
    pool_.emplace(device_.get(), std::span(memory_->data(), memory_->size()));
  }

  // Megabytes from the pool's start; -1: elsewhere.
  int64_t PlaceOf(const std::byte* memory) const {
    const bool inside =
        memory >= memory_->data() && memory < memory_->data() + memory_->size();
    if (!inside) return -1;
    return (memory - memory_->data()) / static_cast<int64_t>(kMega);
  }

  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::SharedMemory> memory_;
  std::optional<Pool> pool_;
};

TEST_F(PoolTest, NothingIsHandedOutTwice) {
  EXPECT_EQ(PlaceOf(pool_->Allocate(20 * kMega)), 0);
  EXPECT_EQ(PlaceOf(pool_->Allocate(1)), 20);
  EXPECT_EQ(PlaceOf(pool_->Allocate(10 * kMega)), 22);
  std::byte* const other = pool_->Allocate(2 * kMega);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(PlaceOf(other), -1);
  pool_->Free(other);
}

TEST_F(PoolTest, WhatIsGivenBackIsFoundAgain) {
  std::byte* const first = pool_->Allocate(10 * kMega);
  pool_->Allocate(10 * kMega);
  EXPECT_EQ(PlaceOf(pool_->Allocate(20 * kMega)), -1);
  pool_->Free(first);
  EXPECT_EQ(PlaceOf(pool_->Allocate(10 * kMega)), 20) << "after the last one";
  EXPECT_EQ(PlaceOf(pool_->Allocate(6 * kMega)), 0);
  EXPECT_EQ(PlaceOf(pool_->Allocate(4 * kMega)), 6);
  EXPECT_EQ(PlaceOf(pool_->Allocate(2 * kMega)), 30);
}

TEST_F(PoolTest, MovesAndGoesOnAtTheStart) {
  std::set<int64_t> places;
  for (int i = 0; i < 40; ++i) {
    std::byte* const held = pool_->Allocate(2 * kMega);
    pool_->Move();
    std::byte* const large = pool_->Allocate(12 * kMega);
    places.insert(PlaceOf(large));
    EXPECT_NE(PlaceOf(large), -1);
    pool_->Free(large);
    pool_->Free(held);
  }
  EXPECT_GT(places.size(), 3U);
}

TEST_F(PoolTest, WhatFittedBeforeFitsAfterAMove) {
  for (int i = 0; i < 40; ++i) {
    std::byte* const one = pool_->Allocate(14 * kMega);
    std::byte* const two = pool_->Allocate(14 * kMega);
    EXPECT_NE(PlaceOf(one), -1);
    EXPECT_NE(PlaceOf(two), -1);
    pool_->Free(one);
    pool_->Free(two);
    pool_->Move();
  }
}

// As level3/31's two attention weights beside the workspace of cuBLAS, which
// was made between them and stays.
TEST_F(PoolTest, WhatFittedBesideAWorkspaceStillDoes) {
  std::byte* workspace = nullptr;
  for (int i = 0; i < 40; ++i) {
    std::byte* const small = pool_->Allocate(2 * kMega);
    std::byte* const one = pool_->Allocate(12 * kMega);
    if (workspace == nullptr) workspace = pool_->Allocate(2 * kMega);
    std::byte* const two = pool_->Allocate(12 * kMega);
    for (std::byte* const each : {small, one, two}) {
      EXPECT_NE(PlaceOf(each), -1);
      pool_->Free(each);
    }
    pool_->Move();
  }
}

TEST_F(PoolTest, MovesBesideAWorkspace) {
  std::byte* const one = pool_->Allocate(6 * kMega);
  pool_->Allocate(2 * kMega);
  pool_->Free(one);
  std::set<int64_t> places;
  for (int i = 0; i < 400; ++i) {
    pool_->Move();
    std::byte* const again = pool_->Allocate(6 * kMega);
    places.insert(PlaceOf(again));
    pool_->Free(again);
  }
  EXPECT_EQ(places,
            (std::set<int64_t>{0, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26}));
}

TEST_F(PoolTest, MemoryOfTheProcessIsUsedAgain) {
  std::byte* const inside = pool_->Allocate(20 * kMega);
  std::byte* const other = pool_->Allocate(20 * kMega);
  EXPECT_EQ(PlaceOf(other), -1);
  pool_->Free(other);
  EXPECT_EQ(pool_->Allocate(20 * kMega), other);
  std::byte* const larger = pool_->Allocate(30 * kMega);
  EXPECT_NE(larger, other);
  EXPECT_EQ(PlaceOf(larger), -1);
  pool_->Free(inside);
  pool_->Free(other);
  pool_->Free(larger);
  pool_->Move();
  EXPECT_EQ(PlaceOf(pool_->Allocate(20 * kMega)), 0) << "more than fits: still";
}

TEST(EmptyPool, GivesMemoryOfTheProcess) {
  auto device = device::Device::Open("cpu");
  ASSERT_TRUE(device);
  Pool pool(device->get(), {});
  pool.Move();
  std::byte* const memory = pool.Allocate(100);
  ASSERT_NE(memory, nullptr);
  pool.Free(memory);
}

}  // namespace
}  // namespace kb::candidate
