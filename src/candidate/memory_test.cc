#include <gtest/gtest.h>
#include <unistd.h>

#include "candidate/serve.h"

namespace kb::candidate {
namespace {

using record::DType;
using record::TensorSpec;

constexpr uint64_t kArena = 1024;

wire::Setup Layout() {
  wire::Setup setup;
  setup.facts.state = {{"w", {DType::kFloat32, {4}}}};
  for (const TensorSpec& spec :
       {TensorSpec{DType::kFloat32, {8}}, TensorSpec{DType::kInt8, {1}}})
    setup.facts.inputs.push_back({record::Value::Tensor{spec}});
  setup.facts.outputs = {{DType::kFloat32, {16}}};
  setup.state = {{64}};
  setup.inputs = {{0}, {512}};
  setup.outputs = {{128}};
  setup.weights_bytes = setup.input_bytes = setup.output_bytes = kArena;
  setup.slots = 3;
  return setup;
}

class MemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    auto device = device::Device::Open("cpu");
    ASSERT_TRUE(device);
    device_ = std::move(*device);
  }

  // The descriptors that go with it.
  std::vector<os::Fd> Share(const wire::Setup& setup) {
    std::vector<size_t> sizes{wire::kMailboxBytes, kArena, setup.slots * kArena,
                              setup.slots * kArena};
    if (setup.pool_bytes > 0) sizes.push_back(setup.pool_bytes);
    std::vector<os::Fd> fds;
    shared_.clear();
    for (const size_t bytes : sizes) {
      auto memory = device_->Allocate(bytes);
      EXPECT_TRUE(memory);
      auto fd = os::Fd(dup((*memory)->fd()));
      fds.push_back(std::move(fd));
      shared_.push_back(std::move(*memory));
    }
    return fds;
  }

  base::Result<Memory> Map(const wire::Setup& setup) {
    return Memory::Map(device_.get(), setup, Share(setup));
  }

  std::string ErrorOf(const wire::Setup& setup) {
    const auto failed = Map(setup);
    return failed ? "" : failed.error().message();
  }

  std::unique_ptr<device::Device> device_;
  // Mailbox, weights, inputs, outputs, and perhaps a pool.
  std::vector<std::unique_ptr<device::SharedMemory>> shared_;
};

TEST_F(MemoryTest, EveryTensorLiesWhereTheSetUpSays) {
  const auto memory = Map(Layout());
  ASSERT_TRUE(memory) << memory.error().message();
  *memory->state(0) = std::byte{1};
  *memory->input(0, 1) = std::byte{2};
  *memory->input(2, 1) = std::byte{3};
  *memory->output(1, 0) = std::byte{4};
  EXPECT_EQ(shared_[1]->data()[64], std::byte{1});
  EXPECT_EQ(shared_[2]->data()[512], std::byte{2});
  EXPECT_EQ(shared_[2]->data()[2 * kArena + 512], std::byte{3});
  EXPECT_EQ(shared_[3]->data()[kArena + 128], std::byte{4});
}

TEST_F(MemoryTest, TheMailboxIsTheOraclesOwn) {
  const auto memory = Map(Layout());
  ASSERT_TRUE(memory);
  memory->mailbox().jail.done = 7;
  EXPECT_EQ(
      reinterpret_cast<const wire::Mailbox*>(shared_[0]->data())->jail.done,
      7U);
}

TEST_F(MemoryTest, WithoutAPoolThereIsNone) {
  const auto memory = Map(Layout());
  ASSERT_TRUE(memory);
  EXPECT_TRUE(memory->pool().empty());
  wire::Setup with = Layout();
  with.pool_bytes = 8192;
  const auto other = Map(with);
  ASSERT_TRUE(other) << other.error().message();
  EXPECT_EQ(other->pool().size(), 8192U);
}

TEST_F(MemoryTest, OnlyWhatLiesInAnInputSlotIsAnInput) {
  const auto memory = Map(Layout());
  ASSERT_TRUE(memory);
  const std::byte* start = memory->input(0, 0);
  EXPECT_TRUE(memory->IsInput(start));
  EXPECT_TRUE(memory->IsInput(start + 3 * kArena - 1));
  EXPECT_FALSE(memory->IsInput(start - 1));
  EXPECT_FALSE(memory->IsInput(start + 3 * kArena));
  EXPECT_FALSE(memory->IsInput(memory->output(0, 0)));
}

TEST_F(MemoryTest, ATensorMayEndWithItsArenaAndNotBeyond) {
  wire::Setup setup = Layout();
  setup.outputs = {{kArena - 64}};
  EXPECT_EQ(ErrorOf(setup), "");
  for (const uint64_t offset :
       {kArena - 63, kArena, kArena + 1, ~uint64_t{0}, ~uint64_t{0} - 63}) {
    setup.outputs = {{offset}};
    EXPECT_EQ(ErrorOf(setup), "set-up: tensor 0 does not fit its arena")
        << offset;
  }
}

TEST_F(MemoryTest, EveryArenaIsLookedAt) {
  wire::Setup state = Layout();
  state.state = {{kArena}};
  EXPECT_EQ(ErrorOf(state), "set-up: tensor 0 does not fit its arena");
  wire::Setup inputs = Layout();
  inputs.inputs[1] = {kArena};
  EXPECT_EQ(ErrorOf(inputs), "set-up: tensor 1 does not fit its arena");
}

TEST_F(MemoryTest, EveryTensorHasOnePlace) {
  wire::Setup setup = Layout();
  setup.inputs.pop_back();
  EXPECT_EQ(ErrorOf(setup), "set-up: 1 places for 2 tensors");
  setup = Layout();
  setup.state.push_back({0});
  EXPECT_EQ(ErrorOf(setup), "set-up: 2 places for 1 tensors");
}

TEST_F(MemoryTest, DescriptorsAreCounted) {
  std::vector<os::Fd> few = Share(Layout());
  few.pop_back();
  EXPECT_FALSE(Memory::Map(device_.get(), Layout(), std::move(few)));
  wire::Setup with_pool = Layout();
  with_pool.pool_bytes = 4096;
  EXPECT_FALSE(Memory::Map(device_.get(), with_pool, Share(Layout())));
  EXPECT_FALSE(Memory::Map(device_.get(), Layout(), Share(with_pool)));
}

TEST_F(MemoryTest, WhatCannotBeMappedIsAnError) {
  std::vector<os::Fd> fds = Share(Layout());
  fds[0] = os::Fd();
  const auto failed = Memory::Map(device_.get(), Layout(), std::move(fds));
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message().find("mailbox"), std::string::npos);
}

// What loading the library says.
std::string LoadErrorOf(device::Device* device, const Memory& memory,
                        const std::string& library) {
  const CallResult result = NewNativeBody(device, library)->Load(memory);
  EXPECT_EQ(result.status, wire::CallStatus::kFailed);
  return result.text;
}

TEST_F(MemoryTest, ALibraryThatIsNotThereOrNoneFailsWithItsName) {
  const auto memory = Map(Layout());
  ASSERT_TRUE(memory);
  for (const char* library : {"/nowhere/candidate.so", "/etc/passwd"})
    EXPECT_NE(LoadErrorOf(device_.get(), *memory, library).find(library),
              std::string::npos);
}

TEST_F(MemoryTest, ALibraryWithoutForwardIsToldWhatToDefine) {
  const auto memory = Map(Layout());
  ASSERT_TRUE(memory);
  const auto said = LoadErrorOf(device_.get(), *memory, "libm.so.6");
  EXPECT_NE(said.find("kb_forward is not exported"), std::string::npos) << said;
  EXPECT_NE(said.find("int kb_forward(const kb_call*)"), std::string::npos);
}

}  // namespace
}  // namespace kb::candidate
