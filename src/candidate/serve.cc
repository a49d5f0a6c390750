#include "candidate/serve.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/random.h"
#include "base/text.h"
#include "context_choice.h"
#include "provenance/observer.h"
#include "wire/channel.h"
#include "wire/poll.h"

namespace kb::candidate {
namespace {

using base::Result;
using wire::CallStatus;
using wire::MessageType;

// What comes next may take a while: jails are started ahead of their turn.
Result<std::optional<wire::Message>> Receive(wire::Channel* channel,
                                             MessageType expected) {
  KB_ASSIGN(auto message, channel->Receive(std::nullopt));
  if (message && message->type != expected)
    return base::Fail("the oracle sent an unexpected message");
  return message;
}

// The device in a context that was chosen, or in the first where there is no
// choice: `kept_us` is 0 then.
struct Opened {
  std::unique_ptr<device::Device> device;
  double fastest_us = 0;  // that is known
  double kept_us = 0;     // of this context
  int contexts = 0;       // that were opened
};

Result<Opened> OpenDevice(const std::string& name, bool choose,
                          double known_us) {
  ContextChoice choice(known_us);
  Opened opened;
  opened.fastest_us = known_us;
  while (true) {
    opened.device.reset();
    KB_ASSIGN(opened.device, device::Device::Open(name));
    ++opened.contexts;
    if (!choose || !opened.device->is_cuda()) return opened;
    const auto micros = opened.device->LaunchMicros();
    if (!micros) return opened;  // not known: one is as good as another
    const bool keep = choice.Keep(*micros);
    opened.fastest_us = choice.fastest_us();
    opened.kept_us = *micros;
    if (keep) return opened;
  }
}

Result<void> ReportLoad(wire::Channel* channel, const CallResult& loaded) {
  constexpr size_t kTextBytes = 12 << 10;
  const std::string text = base::Shorten(loaded.text, kTextBytes);
  switch (loaded.status) {
    case CallStatus::kOk:
      return channel->Send(MessageType::kReady, text);
    case CallStatus::kOutOfMemory:
      return channel->Send(MessageType::kNoMemory, text);
    case CallStatus::kFailed:
    case CallStatus::kStructure:
      break;
  }
  return channel->Send(MessageType::kLoadFailed, text);
}

// Serves the chains of one oracle: forwards, and work of our own.
class ChainServer {
 public:
  ChainServer(const Memory& memory, wire::Channel* channel,
              device::Device* device, device::Gate* gate, Body* body,
              provenance::Observer* observer)
      : memory_(memory),
        mailbox_(memory.mailbox()),
        channel_(channel),
        device_(device),
        gate_(gate),
        body_(body),
        observer_(observer),
        style_(device->is_cuda() ? wire::Poll::kSpin : wire::Poll::kDoze),
        // A core that naps is cold for the next chain.
        waiting_(device->is_cuda() ? wire::Poll::kStay : wire::Poll::kRest) {}

  // So many chains, all of them without a call. False when the oracle left.
  bool ServeEmpty(uint32_t chains) {
    for (uint32_t i = 0; i < chains; ++i)
      if (!ServeOne(++number_)) return false;
    return true;
  }

  // Until the oracle closes the socket.
  void Serve() {
    while (ServeOne(++number_)) {
    }
  }

 private:
  bool OracleLives() const { return !channel_->PeerClosed(); }

  bool ServeOne(uint32_t number) {
    if (!WaitFor(mailbox_.oracle.arm, number, waiting_,
                 [this] { return OracleLives(); }))
      return false;
    const wire::Chain chain = mailbox_.oracle.chain;
    const bool gated = chain.gated != 0 && gate_ != nullptr;
    CallResult result = Check(chain);
    if (result.status == CallStatus::kOk && IsForward(chain)) {
      made_.reset();  // as large as the outputs
      result = body_->Prepare(chain);
    }
    void* const stream = body_->stream();
    if (gated) {
      Add(gate_->Wait(mailbox_.oracle.go, number, stream), &result);
      Enqueue(chain, number, stream, &result);
    }
    mailbox_.jail.armed.store(number, std::memory_order_release);
    // Everywhere: a nap here would be part of what is measured.
    if (!WaitFor(mailbox_.oracle.go, number, wire::Poll::kSpin,
                 [this] { return OracleLives(); }))
      return false;
    if (!gated) Enqueue(chain, number, stream, &result);
    AwaitEnd(number, stream, &result);
    return true;
  }

  // The calls and the mark after them. What fails is told at once.
  void Enqueue(const wire::Chain& chain, uint32_t number, void* stream,
               CallResult* result) {
    if (result->status == CallStatus::kOk) *result = Do(chain, stream);
    Tell(*result);
    if (result->status == CallStatus::kOk)
      Add(gate_ != nullptr ? gate_->Mark(&mailbox_.jail.done, number, stream)
                           : device_->Synchronize(),
          result);
    if (result->status != CallStatus::kOk)
      Fail(number, *result);
    else if (gate_ == nullptr)
      mailbox_.jail.done.store(number, std::memory_order_release);
  }

  static bool IsForward(const wire::Chain& chain) {
    return chain.work == wire::Work::kForward;
  }

  CallResult Check(const wire::Chain& chain) const {
    const uint64_t slots = memory_.setup().slots;
    if (chain.first <= slots && chain.calls <= slots - chain.first) return {};
    return {CallStatus::kFailed, "the oracle asked for what cannot be done"};
  }

  CallResult Do(const wire::Chain& chain, void* stream) {
    CallResult result;
    switch (chain.work) {
      case wire::Work::kForward: {
        const size_t outputs = memory_.setup().outputs.size();
        const size_t places = std::min<size_t>(chain.calls * outputs,
                                               mailbox_.jail.places.size());
        return Forward({mailbox_.jail.places.data(), places}, chain.calls);
      }
      case wire::Work::kNothing:
        for (uint32_t i = 0; i < chain.calls; ++i)
          Add(device_->Spin(0, stream), &result);
        break;
      case wire::Work::kCopy:
        for (uint32_t i = 0; i < chain.calls; ++i)
          Add(CopyOutputs(chain.first + i, stream), &result);
        break;
      case wire::Work::kTell:
        Add(TellWhatRan(), &result);
        break;
    }
    return result;
  }

  // The first chain does what is done once: nobody looks at it.
  CallResult Forward(std::span<uint64_t> places, uint32_t calls) {
    const bool observed = observer_ != nullptr && forwards_++ > 0;
    if (observed) observer_->Begin();
    CallResult result = body_->Enqueue(places);
    if (observed) observer_->End(calls);
    return result;
  }

  Result<void> TellWhatRan() {
    if (observer_ == nullptr) return base::Fail("{}", "nobody looked");
    KB_TRY(device_->Synchronize());
    KB_TRY(Say(MessageType::kObserved, observer_->Tell()));
    if (!memory_.setup().profile) return base::Ok();
    return Say(MessageType::kProfiled, observer_->TellActivity());
  }

  template <typename T>
  Result<void> Say(MessageType type, const Result<T>& seen) {
    return channel_->Send(
        type,
        base::DumpJson(seen ? record::ToJson(*seen)
                            : base::Json{{"error", seen.error().message()}}));
  }

  // What a candidate's outputs take that are not made in their slots.
  Result<void> CopyOutputs(size_t slot, void* stream) {
    const auto& specs = memory_.setup().facts.outputs;
    KB_ASSIGN(const std::byte* source, CopySource());
    for (size_t i = 0; i < specs.size(); ++i)
      KB_TRY(device_->Copy(memory_.output(slot, i),
                           source + memory_.setup().outputs[i].offset,
                           specs[i].Bytes(), stream));
    return base::Ok();
  }

  // As many bytes as the outputs take, of any content: in the pool, which is
  // there, since a candidate may have taken the rest of the memory.
  Result<const std::byte*> CopySource() {
    const uint64_t bytes = memory_.setup().output_bytes;
    if (memory_.pool().size() >= bytes) return memory_.pool().data();
    if (!made_) {
      KB_ASSIGN(made_, device_->Allocate(bytes));
    }
    return made_->data();
  }

  // Until the device has ended the chain, so that what it uses stays. A broken
  // device never writes the mark.
  void AwaitEnd(uint32_t number, void* stream, CallResult* result) {
    if (result->status != CallStatus::kOk || gate_ == nullptr) return;
    auto next_look = Clock::now() + kBetweenLooks;
    WaitFor(mailbox_.jail.done, number, style_, [&] {
      if (Clock::now() < next_look) return true;
      next_look = Clock::now() + kBetweenLooks;
      const auto idle = device_->Idle(stream);
      if (idle) return OracleLives();
      *result = {CallStatus::kFailed, idle.error().message()};
      Tell(*result);
      Fail(number, *result);
      return false;
    });
  }

  static void Add(const Result<void>& done, CallResult* result) {
    if (!done && result->status == CallStatus::kOk)
      *result = {CallStatus::kFailed, done.error().message()};
  }

  void Tell(const CallResult& result) {
    auto& side = mailbox_.jail;
    const size_t size = std::min(result.text.size(), side.text.size());
    std::memcpy(side.text.data(), result.text.data(), size);
    side.text_size = static_cast<uint32_t>(size);
    side.status = static_cast<uint32_t>(result.status);
  }

  void Fail(uint32_t number, const CallResult& result) {
    Tell(result);
    mailbox_.jail.failed.store(number, std::memory_order_release);
  }

  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenLooks{20};

  const Memory& memory_;
  wire::Mailbox& mailbox_;
  wire::Channel* channel_;
  device::Device* device_;
  device::Gate* gate_;  // null on cpu
  Body* body_;
  provenance::Observer* observer_;  // null: nobody looks
  uint32_t forwards_ = 0;           // chains of them
  uint32_t number_ = 0;             // of the last chain
  wire::Poll style_;
  wire::Poll waiting_;  // for a chain
  std::unique_ptr<device::SharedMemory> made_;
};

// A process's allocations begin at another place for each, so that several
// processes are several places. By where memory lies some calls take 30 %
// longer, a captured graph's for as long as it lives, and without this all
// processes of a run have the same place (docs/timing.md).
std::unique_ptr<device::SharedMemory> TakePages(device::Device* device) {
  constexpr size_t kPageBytes = size_t{2} << 20;
  constexpr uint64_t kPages = 128;
  const size_t pages = device->is_cuda() ? base::SecretSeed() % kPages : 0;
  if (pages == 0) return nullptr;
  auto taken = device->Allocate(pages * kPageBytes);
  return taken ? std::move(*taken) : nullptr;  // memory may be scarce
}

Result<void> Run(
    int socket, const std::string& device_name,
    const std::function<std::unique_ptr<Body>(device::Device*)>& make) {
  wire::Channel channel{os::Fd(socket)};
  KB_ASSIGN(auto message, Receive(&channel, MessageType::kSetup));
  if (!message) return base::Ok();  // not needed after all
  KB_ASSIGN(const base::Json json, base::ParseJson(message->payload, "set-up"));
  KB_ASSIGN(wire::Setup setup, wire::SetupFromJson(json));
  base::Json said = base::Json::object();
  std::unique_ptr<provenance::Observer> observer;
  if (setup.observe) {
    auto started = provenance::Observer::Start(device_name);
    if (started)
      observer = std::move(*started);
    else
      said["observer"] = started.error().message();
  }
  KB_ASSIGN(const Opened opened,
            OpenDevice(device_name, setup.choose_context, setup.launch_us));
  device::Device* const device = opened.device.get();
  KB_ASSIGN(const Memory memory,
            Memory::Map(device, std::move(setup), std::move(message->fds)));
  KB_ASSIGN(const auto gate,
            device->NewGate(&memory.mailbox(), wire::kMailboxBytes));
  const auto pages = TakePages(device);
  const std::unique_ptr<Body> body = make(device);
  ChainServer server(memory, &channel, device, gate.get(), body.get(),
                     observer.get());
  said["launch_us"] = opened.fastest_us;
  said["kept_us"] = opened.kept_us;
  said["contexts"] = opened.contexts;
  KB_TRY(channel.Send(MessageType::kOpened, base::DumpJson(said)));
  KB_ASSIGN(const auto begin, Receive(&channel, MessageType::kBegin));
  if (!begin) return base::Ok();
  if (!server.ServeEmpty(memory.setup().empty_chains)) return base::Ok();
  const CallResult loaded = body->Load(memory);
  KB_TRY(ReportLoad(&channel, loaded));
  if (loaded.status == CallStatus::kOk) server.Serve();
  return base::Ok();
}

}  // namespace

int Serve(int socket, const std::string& device_name,
          const std::function<std::unique_ptr<Body>(device::Device*)>& make) {
  const Result<void> result = Run(socket, device_name, make);
  if (result) return 0;
  std::fprintf(stderr, "kernelbench host: %s\n",
               result.error().message().c_str());
  return 70;  // EX_SOFTWARE: our failure, not the candidate's
}

}  // namespace kb::candidate
