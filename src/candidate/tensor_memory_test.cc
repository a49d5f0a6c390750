#include "tensor_memory.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace kb::candidate {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kOutput = 3 * kPage - 100;

class TensorMemoryTest : public testing::Test {
 protected:
  TensorMemoryTest() { tensors_.Serve(true); }

  std::vector<std::byte> bytes_ = std::vector<std::byte>(7 * kPage);
  TensorMemory tensors_{bytes_, {kOutput, 4, 0}};
};

TEST_F(TensorMemoryTest, OutputsAreMadeInItFromItsStart) {
  void* const first = tensors_.Allocate(64, kOutput);
  EXPECT_EQ(first, bytes_.data());
  EXPECT_EQ(tensors_.Allocate(64, 4), bytes_.data() + 3 * kPage);
  EXPECT_EQ(tensors_.Allocate(64, kOutput), bytes_.data() + 4 * kPage);
  EXPECT_EQ(tensors_.Allocate(64, kOutput), nullptr) << "it is full";
  tensors_.Free(first);
  EXPECT_EQ(tensors_.Allocate(64, kOutput), first) << "its pages are there";
}

TEST_F(TensorMemoryTest, AllElseIsMadeElsewhere) {
  EXPECT_EQ(tensors_.Allocate(64, kOutput + 1), nullptr);
  EXPECT_EQ(tensors_.Allocate(64, 0), nullptr);
  EXPECT_EQ(tensors_.Allocate(2 * kPage, kOutput), nullptr);
  tensors_.Serve(false);
  EXPECT_EQ(tensors_.Allocate(64, kOutput), nullptr) << "not in forward";
}

TEST_F(TensorMemoryTest, KnowsItsOwn) {
  void* const made = tensors_.Allocate(64, 4);
  EXPECT_TRUE(tensors_.Holds(made));
  EXPECT_FALSE(tensors_.Holds(&tensors_));
  EXPECT_FALSE(tensors_.Holds(bytes_.data() + bytes_.size()));
  EXPECT_GE(tensors_.BytesAt(made), 4U);
  EXPECT_EQ(tensors_.BytesAt(bytes_.data() + kPage), 0U);
}

TEST_F(TensorMemoryTest, ThreadsShareIt) {
  std::vector<std::byte> bytes(64 * kPage);
  TensorMemory tensors(bytes, {kPage});
  tensors.Serve(true);
  std::vector<std::vector<void*>> made(4);
  std::vector<std::thread> threads;
  threads.reserve(made.size());
  for (auto& mine : made)
    threads.emplace_back([&tensors, &mine] {
      for (int i = 0; i < 50000; ++i) {
        void* const memory = tensors.Allocate(64, kPage);
        if (i % 5000 == 0)
          mine.push_back(memory);
        else
          tensors.Free(memory);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::set<void*> all;
  for (const auto& mine : made) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 40U);
  EXPECT_EQ(all.count(nullptr), 0U);
}

}  // namespace
}  // namespace kb::candidate
