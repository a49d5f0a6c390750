#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "os/fd.h"
#include "wire/channel.h"
#include "wire/mailbox.h"
#include "wire/poll.h"
#include "wire/setup.h"
#include "wire/shared_word.h"
#include "words.h"

namespace kb::wire {
namespace {

using namespace std::chrono_literals;

class ChannelTest : public testing::Test {
 protected:
  void SetUp() override {
    auto pair = os::SocketPair();
    ASSERT_TRUE(pair);
    a_.emplace(std::move(pair->first));
    b_.emplace(std::move(pair->second));
  }
  std::optional<Channel> a_, b_;
};

TEST_F(ChannelTest, LargeMessagesArriveWholeAndDescriptorsInOrder) {
  const std::string large(1 << 20, 'x');
  auto extra = os::SocketPair();
  ASSERT_TRUE(extra);
  ASSERT_TRUE(a_->Send(MessageType::kSetup, large,
                       {extra->first.get(), extra->second.get()}));
  auto got = b_->Receive(1000ms);
  ASSERT_TRUE(got && *got);
  EXPECT_EQ((*got)->payload, large);
  EXPECT_EQ((*got)->fds.size(), 2u);
}

TEST_F(ChannelTest, ClosedPeerIsNotAnError) {
  a_.reset();
  auto got = b_->Receive(1000ms);
  ASSERT_TRUE(got);
  EXPECT_FALSE(got->has_value());
  EXPECT_TRUE(b_->PeerClosed());
}

TEST_F(ChannelTest, PacketWithoutAByteIsNoClosedPeer) {
  ASSERT_EQ(send(a_->fd(), "", 0, MSG_NOSIGNAL), 0);
  EXPECT_FALSE(b_->Receive(1000ms)) << "malformed";
}

TEST_F(ChannelTest, PeerThatLeftWithoutReadingIsKnown) {
  ASSERT_TRUE(a_->Send(MessageType::kSetup, "unread"));
  b_.reset();
  const auto gone = a_->Receive(1000ms);
  ASSERT_TRUE(gone && !*gone);
  EXPECT_TRUE(a_->left_unread());

  SetUp();
  ASSERT_TRUE(a_->Send(MessageType::kSetup, "read"));
  ASSERT_TRUE(b_->Receive(1000ms));
  b_.reset();
  ASSERT_TRUE(a_->Receive(1000ms));
  EXPECT_FALSE(a_->left_unread());
}

TEST_F(ChannelTest, SilenceEndsInAnErrorAfterTheTimeout) {
  EXPECT_FALSE(b_->Receive(1ms));
}

TEST_F(ChannelTest, WhatAJailMayNotSendIsRefused) {
  ASSERT_TRUE(a_->Send(MessageType::kReady, std::string(20 << 10, 'x')));
  EXPECT_FALSE(b_->Receive(1000ms, kFromJail)) << "more than 16 KiB";
  ASSERT_TRUE(a_->Send(MessageType::kReady, std::string(1 << 20, 'x')));
  EXPECT_FALSE(b_->Receive(1000ms, kFromJail)) << "a spilled payload";
  ASSERT_TRUE(a_->Send(MessageType::kReady, "", {a_->fd()}));
  EXPECT_FALSE(b_->Receive(1000ms, kFromJail)) << "a descriptor";
  ASSERT_EQ(send(a_->fd(), "garbage", 7, 0), 7);
  EXPECT_FALSE(b_->Receive(1000ms, kFromJail)) << "no header";
  ASSERT_TRUE(a_->Send(MessageType::kReady, "fine"));
  auto got = b_->Receive(1000ms, kFromJail);
  ASSERT_TRUE(got && *got);
  EXPECT_EQ((*got)->payload, "fine");
}

TEST(Setup, SurvivesTheTrip) {
  wire::Setup setup;
  setup.device = "cuda:0";
  setup.precision = record::Precision::kBf16;
  setup.construction_seed = 42;
  setup.own_weights = true;
  setup.running_statistics = false;
  setup.facts.inputs = {
      record::Value{record::Value::Tensor{{record::DType::kBFloat16, {3, 5}}}},
      record::Value{3.5}, record::Value{record::Value::None{}}};
  setup.facts.outputs = {{record::DType::kInt64, {}}};
  setup.facts.state = {{"w", {record::DType::kFloat32, {7}}}};
  setup.state = {{0}};
  setup.inputs = {{512}};
  setup.outputs = {{1024}};
  setup.weights_bytes = 512;
  setup.input_bytes = 1024;
  setup.output_bytes = 8192;
  setup.slots = 7;
  setup.pool_bytes = uint64_t{3} << 32;
  setup.choose_context = true;
  setup.launch_us = 1.46;
  setup.empty_chains = 33;
  const auto back = SetupFromJson(ToJson(setup));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, setup);
}

// An attempt on the clock that looks elsewhere does nothing, and proves
// nothing.
TEST(Mailbox, TheAttemptsOfOurTestsKnowItsWords) {
  const auto mailbox = std::make_unique<Mailbox>();
  const auto word = [&](const auto& member) {
    return (reinterpret_cast<uintptr_t>(&member) -
            reinterpret_cast<uintptr_t>(mailbox.get())) /
           4;
  };
  EXPECT_EQ(word(mailbox->oracle.arm), kArm);
  EXPECT_EQ(word(mailbox->oracle.chain.calls), kCalls);
  EXPECT_EQ(word(mailbox->oracle.chain.gated), kGated);
  EXPECT_EQ(word(mailbox->oracle.go), kGo);
  EXPECT_EQ(word(mailbox->jail.done), kDone);
}

TEST(SharedWord, WhatIsBeyondTheBoundIsNothing) {
  const uint32_t word = 3;
  EXPECT_EQ(LoadAtMost(word, uint32_t{3}), 3U);
  EXPECT_EQ(LoadAtMost(word, uint32_t{2}), std::nullopt);
}

TEST(SharedWord, TextEndsWhereItsMemoryEnds) {
  constexpr std::array<char, 4> kText{'a', 'b', 'c', 'd'};
  EXPECT_EQ(LoadText(kText, 2), "ab");
  EXPECT_EQ(LoadText(kText, 4), "abcd");
  EXPECT_EQ(LoadText(kText, 0xffffffff), "abcd");
}

// The other side changes both all the time; what was loaded is within bounds
// and stays.
TEST(SharedWord, WhoChangesAWordMeanwhileGetsNothingPastTheBound) {
  uint32_t word = 0;
  std::atomic<bool> stop = false;
  std::thread other([&] {
    for (uint32_t i = 0; !stop; ++i)
      __atomic_store_n(&word, i % 2 == 0 ? 1U : ~0U, __ATOMIC_RELAXED);
  });
  for (int i = 0; i < 100000; ++i) {
    const auto loaded = LoadAtMost(word, uint32_t{3});
    EXPECT_LE(loaded.value_or(0), 3U);
  }
  stop = true;
  other.join();
}

TEST(Poll, WhoWaitsForItsTurnSleeps) {
  EXPECT_FALSE(Pause(Poll::kRest, 0));
  EXPECT_TRUE(Pause(Poll::kRest, 5000));
  EXPECT_FALSE(Pause(Poll::kStay, 5000));
  EXPECT_TRUE(Pause(Poll::kStay, 1 << 30));
  EXPECT_FALSE(Pause(Poll::kWatch, 4 << 20));
  EXPECT_TRUE(Pause(Poll::kWatch, 1 << 30));
  EXPECT_FALSE(Pause(Poll::kSpin, 1 << 30));
}

TEST(Poll, SeesTheWordAndGivesUpWhenTold) {
  std::atomic<uint32_t> word{0};
  std::thread writer([&] { word.store(7); });
  EXPECT_TRUE(WaitFor(word, 7, Poll::kDoze, [] { return true; }));
  writer.join();
  int calls = 0;
  EXPECT_FALSE(WaitFor(word, 8, Poll::kSpin, [&] { return ++calls < 5; }));
  EXPECT_EQ(calls, 5);
}

// Somebody who does not look for 20 ms, in which the word comes.
TEST(Poll, SaysWhenTheWordWasNotThereYet) {
  std::atomic<uint32_t> word{0};
  const int64_t begin = NowNanos();
  int64_t missed = begin;
  int64_t last_look = 0;
  EXPECT_TRUE(WaitFor(
      word, 7, Poll::kDoze,
      [&] {
        last_look = NowNanos();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        word = 7;
        return true;
      },
      &missed));
  EXPECT_GE(missed, begin);
  EXPECT_LE(missed, last_look);
  EXPECT_GE(NowNanos() - missed, 20'000'000);
  int64_t untouched = 5;
  EXPECT_TRUE(WaitFor(word, 7, Poll::kSpin, [] { return false; }, &untouched));
  EXPECT_EQ(untouched, 5) << "it was there at the first look";
}

}  // namespace
}  // namespace kb::wire
