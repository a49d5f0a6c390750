#include "exchange.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/json.h"

namespace kb::oracle {
namespace {

// What is not sent is not done, and no time says so.
TEST(Exchange, AJailIsToldAllThatIsAskedOfIt) {
  const auto device = device::Device::Open("cpu");
  ASSERT_TRUE(device);
  const auto kernels = device::Kernels::Create(device->get());
  ASSERT_TRUE(kernels);
  record::ProblemFacts facts;
  facts.outputs = {{record::DType::kFloat32, {16}}};
  constexpr size_t kSlots = 3;
  const auto exchange =
      Exchange::Create(device->get(), kernels->get(), facts, kSlots);
  ASSERT_TRUE(exchange);
  const auto mailbox = (*device)->Allocate(4096);
  const auto pool = (*device)->Allocate(8192);
  ASSERT_TRUE(mailbox && pool);

  wire::Setup asked;
  asked.device = "cuda:1";
  asked.precision = record::Precision::kBf16;
  asked.construction_seed = 42;
  asked.choose_context = true;
  asked.launch_us = 1.46;
  asked.empty_chains = 33;
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  wire::Channel ours{os::Fd(ends[0])};
  wire::Channel theirs{os::Fd(ends[1])};
  ASSERT_TRUE(exchange->SendSetup(&ours, **mailbox, pool->get(), asked));
  const auto message = theirs.Receive(std::nullopt);
  ASSERT_TRUE(message && *message);
  EXPECT_EQ((*message)->fds.size(), 5U);
  const auto json = base::ParseJson((*message)->payload, "set-up");
  ASSERT_TRUE(json);
  const auto told = wire::SetupFromJson(*json);
  ASSERT_TRUE(told) << told.error().message();
  EXPECT_EQ(told->slots, kSlots);
  EXPECT_EQ(told->outputs.size(), 1U);
  EXPECT_GE(told->output_bytes, 64U);
  EXPECT_EQ(told->pool_bytes, 8192U);

  // Nothing of what was asked is left out, also of fields that are still to
  // come: without what the exchange knows, the two are the same.
  wire::Setup rest = *told;
  rest.facts = {};
  rest.state = rest.inputs = rest.outputs = {};
  rest.weights_bytes = rest.input_bytes = rest.output_bytes = 0;
  rest.slots = asked.slots;
  rest.pool_bytes = 0;
  EXPECT_EQ(rest, asked);
}

}  // namespace
}  // namespace kb::oracle
