#include "jail_link.h"

#include <new>

#include "base/json.h"
#include "base/text.h"
#include "exchange.h"
#include "os/machine.h"
#include "wire/shared_word.h"

namespace kb::oracle {

using base::Result;
using record::Judgement;
using wire::MessageType;

namespace {

// Marked as the candidate's word: it could write what looks like a note of
// ours.
std::string OfItself(const std::string& said) {
  constexpr size_t kRemarkBytes = 300;
  if (said.empty()) return "";
  return fmt::format(
      "{}{}", record::kSaysOfItself,
      base::ShortenLine(base::OneLine(base::Printable(said)), kRemarkBytes));
}

}  // namespace

Result<JailLink> JailLink::Connect(os::Fd socket, bool cuda) {
  // The mailbox is host memory on every device; the cpu device's shared memory
  // is sealed, so that the jail cannot truncate it under us.
  KB_ASSIGN(const auto host, device::Device::Open("cpu"));
  KB_ASSIGN(auto memory, host->Allocate(wire::kMailboxBytes));
  new (memory->data()) wire::Mailbox{};
  JailLink link(std::move(socket), std::move(memory), cuda);
  if (!cuda) KB_TRY(link.channel_.NameSenders());
  return link;
}

JailLink::JailLink(os::Fd socket, std::unique_ptr<device::SharedMemory> mailbox,
                   bool cuda)
    : channel_(std::move(socket)),
      memory_(std::move(mailbox)),
      style_(cuda ? wire::Poll::kWatch : wire::Poll::kDoze) {}

wire::Mailbox& JailLink::mailbox() const {
  return *reinterpret_cast<wire::Mailbox*>(memory_->data());
}

bool JailLink::SetUp(const Exchange& exchange, const device::SharedMemory* pool,
                     const wire::Setup& setup) {
  return exchange.SendSetup(&channel_, *memory_, pool, setup).has_value();
}

bool JailLink::AwaitOpened(std::chrono::milliseconds timeout) {
  auto answer = channel_.Receive(timeout, wire::kFromJail);
  if (!answer || !*answer || (*answer)->type != MessageType::kOpened)
    return false;
  process_ = (*answer)->sender;
  opened_ = base::ParseJson((*answer)->payload, "opened").value_or(nullptr);
  return true;
}

std::optional<double> JailLink::WaitedMicros() const {
  if (process_ == 0) return std::nullopt;
  return os::WaitedMicros(process_);
}

Result<double> JailLink::LaunchMicros() const {
  return base::Get<double>(opened_, "launch_us");
}

Result<double> JailLink::KeptMicros() const {
  return base::Get<double>(opened_, "kept_us");
}

Result<int64_t> JailLink::Contexts() const {
  return base::Get<int64_t>(opened_, "contexts");
}

std::string JailLink::WhyNotObserved() const {
  if (!opened_.is_object() || !opened_.contains("observer")) return "";
  return base::Get<std::string>(opened_, "observer")
      .value_or("no reason given");
}

void JailLink::AwaitObserved(std::chrono::milliseconds timeout,
                             Judgement* judgement) {
  const auto json =
      ReadTold(timeout, MessageType::kObserved, &judgement->no_provenance);
  if (!json) return;
  auto provenance = record::ProvenanceFromJson(*json);
  if (provenance)
    judgement->provenance = std::move(*provenance);
  else
    judgement->no_provenance = provenance.error().message();
}

void JailLink::AwaitProfiled(std::chrono::milliseconds timeout,
                             Judgement* judgement) {
  const auto json =
      ReadTold(timeout, MessageType::kProfiled, &judgement->no_activity);
  if (!json) return;
  auto activity = record::ActivityFromJson(*json);
  if (activity)
    judgement->activity = std::move(*activity);
  else
    judgement->no_activity = activity.error().message();
}

std::optional<base::Json> JailLink::ReadTold(std::chrono::milliseconds timeout,
                                             MessageType type,
                                             std::string* why) {
  const auto answer = channel_.Receive(timeout, wire::kFromJail);
  *why = "its process told nothing";
  if (!answer || !*answer || (*answer)->type != type) return std::nullopt;
  auto json = base::ParseJson((*answer)->payload, "what was observed");
  why->clear();
  if (!json) {
    *why = json.error().message();
    return std::nullopt;
  }
  const auto said = base::Get<std::string>(*json, "error");
  if (!said) return std::move(*json);
  *why = base::Printable(*said);
  return std::nullopt;
}

bool JailLink::Begin() {
  return channel_.Send(MessageType::kBegin, "").has_value();
}

void JailLink::AwaitLoaded(std::chrono::milliseconds timeout,
                           Judgement* judgement) {
  const auto answer = channel_.Receive(timeout, wire::kFromJail);
  if (!answer) {
    judgement->text = "loading the candidate";
    judgement->status = Judgement::Status::kTimeout;
    judgement->limit_s = std::chrono::duration<double>(timeout).count();
    if (channel_.timed_out()) return;
    if (channel_.PeerClosed()) {
      judgement->status = Judgement::Status::kGone;
      return;
    }
    // Our host sends nothing else than answers.
    judgement->status = Judgement::Status::kLoadFailed;
    judgement->text =
        "its process broke the protocol: " + answer.error().message();
    return;
  }
  if (!*answer) {
    // Nothing foreign is loaded before the set-up is read.
    judgement->status = channel_.left_unread() ? Judgement::Status::kNotStarted
                                               : Judgement::Status::kGone;
    return;
  }
  switch ((*answer)->type) {
    case MessageType::kReady:
      judgement->loaded = true;
      load_remark_ = OfItself((*answer)->payload);
      return;
    case MessageType::kNoMemory:
      judgement->status = Judgement::Status::kOutOfMemory;
      break;
    default:
      judgement->status = Judgement::Status::kLoadFailed;
  }
  judgement->text = base::Printable((*answer)->payload);
}

void JailLink::Announce(const wire::Chain& chain) {
  auto& side = mailbox().oracle;
  side.chain = chain;
  side.arm.store(++number_, std::memory_order_release);
}

JailLink::Wait JailLink::AwaitArmed(std::chrono::milliseconds timeout) {
  return WaitForWord(mailbox().jail.armed, timeout);
}

void JailLink::Go() {
  mailbox().oracle.go.store(number_, std::memory_order_release);
}

JailLink::Wait JailLink::AwaitDone(std::chrono::milliseconds timeout,
                                   int64_t* missed) {
  return WaitForWord(mailbox().jail.done, timeout, missed);
}

JailLink::Wait JailLink::WaitForWord(const std::atomic<uint32_t>& word,
                                     std::chrono::milliseconds timeout,
                                     int64_t* missed) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  const auto& failed = mailbox().jail.failed;
  Wait outcome = Wait::kTimeout;
  const auto goes_on = [&] {
    if (failed.load(std::memory_order_acquire) == number_) {
      outcome = Wait::kFailed;
      return false;
    }
    if (channel_.PeerClosed()) {
      outcome = Wait::kGone;
      return false;
    }
    return std::chrono::steady_clock::now() < end;
  };
  const bool seen = wire::WaitFor(word, number_, style_, goes_on, missed);
  // It may have ended and left between two looks.
  const bool ended =
      outcome == Wait::kGone && word.load(std::memory_order_acquire) == number_;
  if (!seen && !ended) return outcome;
  const bool broken = failed.load(std::memory_order_acquire) == number_;
  return broken ? Wait::kFailed : Wait::kDone;
}

std::string JailLink::Remark() const {
  return load_remark_.empty() ? OfItself(ReadReport().text) : "";
}

JailLink::Report JailLink::ReadReport() const {
  const auto& side = mailbox().jail;
  Report report;
  // A status that we do not know leaves the report a failure.
  constexpr auto kLast = static_cast<uint32_t>(wire::CallStatus::kStructure);
  if (const auto status = wire::LoadAtMost(side.status, kLast))
    report.status = static_cast<wire::CallStatus>(*status);
  report.text = base::Printable(wire::LoadText(side.text, side.text_size));
  return report;
}

uint64_t JailLink::ReadPlace(size_t output) const {
  return wire::LoadOnce(mailbox().jail.places.at(output));
}

}  // namespace kb::oracle
