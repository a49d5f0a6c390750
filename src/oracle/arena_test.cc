#include <gtest/gtest.h>

#include <cstring>
#include <list>

#include "base/json.h"
#include "candidate/serve.h"
#include "device_fixture.h"
#include "exchange.h"

namespace kb::oracle {
namespace {

using record::DType;
using record::TensorSpec;

constexpr size_t kSlots = 3;
constexpr uint64_t kSeed = 11;
constexpr std::byte kWritten{0x5a};

// Sizes that fill no whole page and no whole block.
const std::vector<TensorSpec>& OutputSpecs() {
  static const std::vector<TensorSpec> kSpecs{{DType::kUInt8, {3}},
                                              {DType::kFloat32, {1000}}};
  return kSpecs;
}

record::ProblemFacts Facts() {
  record::ProblemFacts facts;
  for (const TensorSpec& spec :
       {TensorSpec{DType::kUInt8, {5}}, TensorSpec{DType::kInt64, {2}}})
    facts.inputs.push_back({record::Value::Tensor{spec}});
  facts.outputs = OutputSpecs();
  facts.state = {{"w", {DType::kUInt8, {7}}}};
  return facts;
}

// An exchange, and the same memory as a jail sees it.
class ArenaTest : public DeviceTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(DeviceTest::SetUp());
    Share(kSlots);
  }

  void Share(size_t slots) {
    auto exchange =
        Exchange::Create(device_.get(), kernels_.get(), Facts(), slots);
    ASSERT_TRUE(exchange);
    exchange_.emplace(std::move(*exchange));
    const auto mailbox = device_->Allocate(wire::kMailboxBytes);
    auto sockets = os::SocketPair();
    ASSERT_TRUE(mailbox && sockets);
    wire::Channel ours(std::move(sockets->first));
    wire::Channel theirs(std::move(sockets->second));
    ASSERT_TRUE(exchange_->SendSetup(&ours, **mailbox, nullptr, {}));
    auto message = theirs.Receive(std::nullopt);
    ASSERT_TRUE(message && *message);
    auto setup =
        wire::SetupFromJson(*base::ParseJson((*message)->payload, "set-up"));
    ASSERT_TRUE(setup);
    auto memory = candidate::Memory::Map(device_.get(), std::move(*setup),
                                         std::move((*message)->fds));
    ASSERT_TRUE(memory) << memory.error().message();
    jail_.emplace(std::move(*memory));
  }

  std::optional<Exchange::Overwrite> FoundBeside(size_t slot) {
    const auto found = exchange_->FindTrespass(slot, {});
    EXPECT_TRUE(found);
    EXPECT_EQ(found->input, -1);
    return found->beside;
  }

  // What is found when `place` was written to.
  std::optional<Exchange::Overwrite> FoundAfter(std::byte* place) {
    EXPECT_TRUE(exchange_->Poison(1, 1, kSeed));
    *place ^= kWritten;
    return FoundBeside(1);
  }

  // The changed input that is found.
  int ChangedInput(size_t slot, const std::vector<TensorView>& inputs,
                   const std::vector<size_t>& free = {}) {
    const auto found = exchange_->FindTrespass(slot, inputs, free);
    EXPECT_TRUE(found);
    EXPECT_EQ(found->beside, std::nullopt);
    return found->input;
  }

  // Two inputs of zeros but for their first byte.
  std::vector<TensorView> InputsOf(std::byte first) {
    bytes_.emplace_back(5)[0] = first;
    auto* narrow = bytes_.back().data();
    bytes_.emplace_back(16)[0] = first;
    return {{{DType::kUInt8, {5}}, narrow},
            {{DType::kInt64, {2}}, bytes_.back().data()}};
  }

  std::optional<Exchange> exchange_;
  std::optional<candidate::Memory> jail_;
  std::list<std::vector<std::byte>> bytes_;
};

TEST_F(ArenaTest, ACallTakesItsInputsAndOutputs) {
  EXPECT_EQ(BytesOf(Facts()).inputs, 5U + 16);
  EXPECT_EQ(BytesOf(Facts()).outputs, 3U + 4000);
  EXPECT_EQ(BytesOf({}).inputs, 0U);
}

TEST_F(ArenaTest, OutputsThatWereOnlyWrittenLeaveTheZonesAlone) {
  ASSERT_TRUE(exchange_->Poison(1, 1, kSeed));
  EXPECT_EQ(FoundBeside(1), std::nullopt);
  for (size_t i = 0; i < OutputSpecs().size(); ++i)
    std::memset(jail_->output(1, i), 0, OutputSpecs()[i].Bytes());
  EXPECT_EQ(FoundBeside(1), std::nullopt);
}

TEST_F(ArenaTest, AByteBesideAnOutputIsSeen) {
  using Found = Exchange::Overwrite;
  EXPECT_EQ(FoundAfter(jail_->output(1, 0) - 1), (Found{0, false, 1}));
  EXPECT_EQ(FoundAfter(jail_->output(1, 0) - 4096), (Found{0, false, 4096}));
  EXPECT_EQ(FoundAfter(jail_->output(1, 0) + 3), (Found{0, true, 1}))
      << "the very next one";
  EXPECT_EQ(FoundAfter(jail_->output(1, 1) - 1), (Found{1, false, 1}));
  EXPECT_EQ(FoundAfter(jail_->output(1, 1) + 4000), (Found{1, true, 1}));
  EXPECT_EQ(FoundAfter(jail_->output(1, 1) + 4000 + 4095),
            (Found{1, true, 4096}));
}

TEST_F(ArenaTest, SlotsOfAChainArePoisonedTogether) {
  ASSERT_TRUE(exchange_->Poison(1, 2, kSeed));
  EXPECT_EQ(FoundBeside(1), std::nullopt);
  EXPECT_EQ(FoundBeside(2), std::nullopt);
  EXPECT_NE(FoundBeside(0), std::nullopt) << "was not asked for";
}

TEST_F(ArenaTest, SlotsAreLookedAtOneByOne) {
  EXPECT_EQ(FoundAfter(jail_->output(0, 0) - 1), std::nullopt);
  EXPECT_EQ(FoundAfter(jail_->output(2, 1) + 4000), std::nullopt);
}

TEST_F(ArenaTest, AnotherSeedIsAnotherPattern) {
  ASSERT_TRUE(exchange_->Poison(0, 1, kSeed));
  ASSERT_TRUE(exchange_->Poison(1, 1, kSeed + 1));
  EXPECT_NE(std::memcmp(jail_->output(0, 1), jail_->output(1, 1), 4000), 0);
  EXPECT_NE(FoundBeside(0), std::nullopt) << "who replays the first one";
}

TEST_F(ArenaTest, WeightsAreWrittenAnewForEveryProcess) {
  std::vector<std::byte> weights(7, kWritten);
  ASSERT_TRUE(exchange_->KeepWeights({{{DType::kUInt8, {7}}, weights.data()}}));
  weights.assign(7, std::byte{});  // the reference's own may change
  ASSERT_TRUE(exchange_->FillWeights());
  EXPECT_EQ(jail_->state(0)[6], kWritten);
  EXPECT_TRUE(*exchange_->WeightsIntact());
  jail_->state(0)[6] = std::byte{1};
  EXPECT_FALSE(*exchange_->WeightsIntact());
  ASSERT_TRUE(exchange_->FillWeights());
  EXPECT_EQ(jail_->state(0)[6], kWritten);
  EXPECT_TRUE(*exchange_->WeightsIntact());
}

TEST_F(ArenaTest, InputsAreSeenWhenTheyAreDelivered) {
  for (size_t slot = 0; slot < kSlots; ++slot)
    ASSERT_TRUE(exchange_->Fill(slot, InputsOf(std::byte(slot + 1))));
  for (size_t slot = 0; slot < kSlots; ++slot)
    EXPECT_EQ(*jail_->input(slot, 0), std::byte{0}) << "too early";
  ASSERT_TRUE(exchange_->Deliver(1, 2));
  EXPECT_EQ(*jail_->input(0, 0), std::byte{0}) << "was not asked for";
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(*jail_->input(1, i), std::byte{2});
    EXPECT_EQ(*jail_->input(2, i), std::byte{3});
  }
}

TEST_F(ArenaTest, WhatIsFilledIsKeptUntilTheSlotIsFilledAgain) {
  for (size_t slot = 0; slot < kSlots; ++slot)
    ASSERT_TRUE(exchange_->Fill(slot, InputsOf(std::byte(slot + 1))));
  bytes_.clear();  // the ones that were drawn
  ASSERT_TRUE(exchange_->Deliver(0, kSlots));
  for (size_t slot = 0; slot < kSlots; ++slot) {
    const auto kept = exchange_->Filled(slot);
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[1].spec, (record::TensorSpec{DType::kInt64, {2}}));
    EXPECT_EQ(*kept[1].data, std::byte(slot + 1));
    EXPECT_NE(kept[1].data, jail_->input(slot, 1)) << "nobody else's memory";
  }
}

TEST_F(ArenaTest, InputsOfAnotherShapeAreRefused) {
  auto inputs = InputsOf(kWritten);
  inputs[0].spec.shape = {6};
  EXPECT_FALSE(exchange_->Fill(0, inputs));
  inputs.pop_back();
  EXPECT_FALSE(exchange_->Fill(0, inputs));
  EXPECT_FALSE(exchange_->Fill(0, {})) << "none at all";
}

TEST_F(ArenaTest, OneSlotIsDeliveredToo) {
  Share(1);
  EXPECT_TRUE(exchange_->IsLarge());
  EXPECT_TRUE(exchange_->Filled(0).empty()) << "they stay where they are";
  ASSERT_TRUE(exchange_->Fill(0, InputsOf(kWritten)));
  EXPECT_EQ(*jail_->input(0, 1), std::byte{0}) << "too early";
  ASSERT_TRUE(exchange_->Deliver(0, 1));
  EXPECT_EQ(*jail_->input(0, 0), kWritten);
  EXPECT_EQ(*jail_->input(0, 1), kWritten);
}

TEST_F(ArenaTest, WhichInputWasChangedIsKnown) {
  const auto inputs = InputsOf(kWritten);
  ASSERT_TRUE(exchange_->Fill(2, inputs));
  ASSERT_TRUE(exchange_->Deliver(2, 1));
  ASSERT_TRUE(exchange_->Poison(2, 1, kSeed));
  EXPECT_EQ(ChangedInput(2, inputs), -1);
  jail_->input(2, 1)[15] ^= std::byte{1};  // the last bit of the last one
  EXPECT_EQ(ChangedInput(2, inputs), 1);
  jail_->input(2, 0)[4] ^= std::byte{1};
  EXPECT_EQ(ChangedInput(2, inputs), 0);
  EXPECT_EQ(ChangedInput(2, inputs, {0}), 1);
  EXPECT_EQ(ChangedInput(2, inputs, {1, 0}), -1);
}

}  // namespace
}  // namespace kb::oracle
