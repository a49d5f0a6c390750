// The pages that a candidate's process writes at any time: what the oracle
// reads from them is a short text that can be shown, and places.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "base/json.h"
#include "candidate/serve.h"
#include "device/device.h"
#include "device/kernels.h"
#include "exchange.h"
#include "input.h"
#include "jail_link.h"
#include "source_check/source_text.h"

namespace {

using kb::oracle::Exchange;
using kb::oracle::JailLink;

template <typename T>
T Must(kb::base::Result<T> result) {
  kb::fuzz::Require(result.has_value(), "the fixture can be made");
  return std::move(*result);
}

// Both ends of one process's memory, as on cpu.
struct Ends {
  std::unique_ptr<kb::device::Device> device =
      Must(kb::device::Device::Open("cpu"));
  std::unique_ptr<kb::device::Kernels> kernels =
      Must(kb::device::Kernels::Create(device.get()));
  std::optional<Exchange> exchange;
  std::optional<JailLink> link;
  std::optional<kb::wire::Channel> jail;
  std::optional<kb::candidate::Memory> memory;

  Ends() {
    kb::record::ProblemFacts facts;
    facts.outputs = {{kb::record::DType::kFloat32, {16}}};
    exchange = Must(Exchange::Create(device.get(), kernels.get(), facts, 1));
    auto sockets = Must(kb::os::SocketPair());
    link = Must(JailLink::Connect(std::move(sockets.first), false));
    jail.emplace(std::move(sockets.second));
    kb::fuzz::Require(link->SetUp(*exchange, nullptr, {}), "it is set up");
    auto message = Must(jail->Receive(std::chrono::seconds(60)));
    const auto json = Must(kb::base::ParseJson(message->payload, "set-up"));
    memory = Must(kb::candidate::Memory::Map(
        device.get(), Must(kb::wire::SetupFromJson(json)),
        std::move(message->fds)));
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kb::fuzz::Require;
  static Ends ends;
  kb::wire::Mailbox::FromJail& page = ends.memory->mailbox().jail;
  // All that is not waited for.
  auto* const begin = reinterpret_cast<uint8_t*>(&page.status);
  const size_t room = sizeof page - (begin - reinterpret_cast<uint8_t*>(&page));
  std::memcpy(begin, data, std::min(size, room));
  const JailLink::Report report = ends.link->ReadReport();
  Require(report.text.size() <= 4 * page.text.size(), "a report is short");
  Require(kb::source_check::IsUtf8(report.text), "a report can be stored");
  Require(std::ranges::none_of(report.text,
                               [](char c) { return c == '\x1b' || c == '\0'; }),
          "a report does nothing to a terminal");
  for (const size_t output : {size_t{0}, kb::wire::kMaxPlaces - 1})
    std::ignore = ends.link->ReadPlace(output);
  return 0;
}
