#include "built_queue.h"

#include <gtest/gtest.h>

#include <future>
#include <stop_token>
#include <thread>

namespace kb::eval {
namespace {

using Words = std::vector<std::string>;

class BuiltQueueTest : public testing::Test {
 protected:
  // Tasks are called after their group: "a1" is one of "a".
  void Add(BuiltQueue* queue, const std::string& name) {
    auto built = std::make_unique<Built>();
    built->order = order_++;
    built->task.candidate.name = name;
    built->group = name.substr(0, 1);
    queue->Add(std::move(built));
  }

  static std::string NameOf(const std::unique_ptr<Built>& built) {
    return built ? built->task.candidate.name : "";
  }

  std::string Next(BuiltQueue* queue, size_t lane, const std::string& group) {
    return NameOf(queue->Next(lane, group, stop_.get_token()));
  }

  std::stop_source stop_;

 private:
  int64_t order_ = 0;
};

TEST_F(BuiltQueueTest, ALaneKeepsToItsGroupAndElseTakesTheOldest) {
  BuiltQueue queue(1);
  for (const char* name : {"a1", "b1", "a2"}) Add(&queue, name);
  EXPECT_EQ(Next(&queue, 0, ""), "a1");
  EXPECT_EQ(Next(&queue, 0, "a"), "a2");
  EXPECT_EQ(Next(&queue, 0, "a"), "b1");
}

TEST_F(BuiltQueueTest, LanesOpenDifferentGroups) {
  BuiltQueue queue(2);
  for (const char* name : {"a1", "a2", "a3", "b1"}) Add(&queue, name);
  EXPECT_EQ(Next(&queue, 0, ""), "a1");
  EXPECT_EQ(Next(&queue, 1, ""), "b1");
  EXPECT_EQ(Next(&queue, 1, "b"), "a2") << "two of them wait";
  EXPECT_EQ(Next(&queue, 0, "a"), "a3");
}

TEST_F(BuiltQueueTest, OneTaskIsNotWorthAnotherOpening) {
  BuiltQueue queue(2);
  queue.Reserve(0, "a");
  Add(&queue, "a1");
  EXPECT_EQ(NameOf(queue.TryNext(1, "")), "");
  EXPECT_EQ(NameOf(queue.TryNext(0, "")), "a1");
}

TEST_F(BuiltQueueTest, EndsWhenAllThatWasTakenIsFinished) {
  BuiltQueue queue(2);
  Add(&queue, "a1");
  queue.Close();
  EXPECT_EQ(Next(&queue, 0, ""), "a1");
  auto other =
      std::async(std::launch::async, [&] { return Next(&queue, 1, ""); });
  queue.Finished();
  EXPECT_EQ(other.get(), "");
  EXPECT_EQ(Next(&queue, 0, "a"), "");
}

TEST_F(BuiltQueueTest, WhatOneLaneFailedOnAnotherTakes) {
  BuiltQueue queue(2);
  Add(&queue, "a1");
  queue.Close();
  auto taken = queue.Next(0, "", stop_.get_token());
  auto other =
      std::async(std::launch::async, [&] { return Next(&queue, 1, ""); });
  taken->failed_on = 0;
  queue.PutBack(std::move(taken));
  EXPECT_EQ(other.get(), "a1");
  EXPECT_EQ(NameOf(queue.TryNext(0, "a")), "");
}

TEST_F(BuiltQueueTest, TheLastLaneDoesNotLeaveAndTakesEverything) {
  BuiltQueue queue(2);
  Add(&queue, "a1");
  auto taken = queue.Next(0, "", stop_.get_token());
  taken->failed_on = 0;
  queue.PutBack(std::move(taken));
  EXPECT_TRUE(queue.HasOthers());
  EXPECT_TRUE(queue.Leave(1));
  EXPECT_FALSE(queue.HasOthers());
  EXPECT_FALSE(queue.Leave(0));
  EXPECT_EQ(Next(&queue, 0, "a"), "a1");
}

TEST_F(BuiltQueueTest, WhatALaneHadOpenIsFreeWhenItLeaves) {
  BuiltQueue queue(2);
  queue.Reserve(1, "a");
  Add(&queue, "a1");
  EXPECT_EQ(NameOf(queue.TryNext(0, "")), "");
  EXPECT_TRUE(queue.Leave(1));
  EXPECT_EQ(NameOf(queue.TryNext(0, "")), "a1");
}

TEST_F(BuiltQueueTest, AStopEndsTheWait) {
  BuiltQueue queue(1);
  auto waiting =
      std::async(std::launch::async, [&] { return Next(&queue, 0, ""); });
  stop_.request_stop();
  EXPECT_EQ(waiting.get(), "");
}

}  // namespace
}  // namespace kb::eval
