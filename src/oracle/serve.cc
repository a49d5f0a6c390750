#include "oracle/serve.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "audit.h"
#include "base/random.h"
#include "ceilings.h"
#include "exchange.h"
#include "judging.h"
#include "wire/channel.h"

namespace kb::oracle {
namespace {

using base::Json;
using base::Result;
using wire::MessageType;

// Of the fastest large copy, in 10^9 bytes read and written a second, on a
// device that is ours alone. Too low a number makes a floor that refuses honest
// kernels: the best of four was 2,490 once on an H100, where 2,840 to 2,940 are
// usual.
Result<double> MeasureBandwidth(device::Device* device) {
  constexpr uint64_t kBytes = uint64_t{256} << 20;
  KB_ASSIGN(const auto from, device->Allocate(kBytes));
  KB_ASSIGN(const auto to, device->Allocate(kBytes));
  KB_ASSIGN(const auto timer, device->NewTimer());
  double best = 0;
  constexpr int kCopies = 100;
  for (int i = 0; i < kCopies; ++i) {
    KB_TRY(timer->Start(nullptr));
    KB_TRY(device->Copy(to->data(), from->data(), kBytes, nullptr));
    KB_TRY(timer->Stop(nullptr));
    KB_ASSIGN(const double micros, timer->ElapsedMicros());
    best = std::max(best, 2.0 * kBytes / micros / 1e3);
  }
  return best;
}

// One problem at a time.
class Session {
 public:
  Session(wire::Channel* channel, record::DeviceFacts device_facts,
          std::unique_ptr<device::Device> device,
          std::unique_ptr<device::Kernels> kernels,
          std::unique_ptr<device::Occupation> occupation,
          std::unique_ptr<Reference> reference)
      : channel_(channel),
        device_facts_(std::move(device_facts)),
        device_(std::move(device)),
        kernels_(std::move(kernels)),
        occupation_(std::move(occupation)),
        reference_(std::move(reference)) {}

  // Answers one message; an Error becomes kFailed.
  Result<void> Answer(wire::Message message) {
    KB_ASSIGN(const Json request,
              base::ParseJson(message.payload, "a request"));
    switch (message.type) {
      case MessageType::kOpenProblem:
        return Open(request);
      case MessageType::kPrepare:
        if (!open_) return base::Fail("no problem is open");
        return Prepare(request, std::move(message.fds));
      case MessageType::kJudge:
        if (!open_) return base::Fail("no problem is open");
        return Judge(request);
      case MessageType::kAudit:
        if (!open_) return base::Fail("no problem is open");
        return Audit(request);
      default:
        return base::Fail("an unexpected message");
    }
  }

 private:
  Result<void> Open(const Json& request) {
    candidate_.reset();
    timed_references_.clear();
    exchange_.reset();
    slack_.emplace(*device_, *kernels_);
    exact_fits_ = true;
    given_.reset();
    open_ = false;
    OpenRequest open;
    KB_ASSIGN(open.id, base::Get<std::string>(request, "id"));
    KB_ASSIGN(open.source, base::Get<std::string>(request, "source"));
    KB_ASSIGN(open.reference, base::Get<std::string>(request, "reference"));
    KB_ASSIGN(const auto precision,
              base::Get<std::string>(request, "precision"));
    KB_ASSIGN(open.redraw_flat_parameters,
              base::Get<bool>(request, "redraw_flat_parameters"));
    KB_ASSIGN(open.redraw_seed, base::Get<uint64_t>(request, "redraw_seed"));
    KB_ASSIGN(open.cpu_seeds,
              base::Get<std::vector<uint64_t>>(request, "cpu_seeds"));
    KB_ASSIGN(open.mixed_inputs, base::Get<bool>(request, "mixed_inputs"));
    KB_ASSIGN(identity_.own_weights, base::Get<bool>(request, "own_weights"));
    KB_ASSIGN(const auto rule,
              base::Get<std::string>(request, "precision_rule"));
    const auto known_rule = record::ParsePrecisionRule(rule);
    if (!known_rule) return base::Fail("unknown precision rule \"{}\"", rule);
    open.precision_rule = *known_rule;
    const auto known = record::ParsePrecision(precision);
    if (!known) return base::Fail("unknown precision \"{}\"", precision);
    open.precision = *known;
    identity_.device = device_facts_.device;
    identity_.precision = open.precision;
    identity_.construction_seed = open.construction_seed;
    KB_ASSIGN(facts_, reference_->Open(open));
    open_ = true;
    return channel_->Send(MessageType::kProblemOpened,
                          base::DumpJson(record::ToJson(facts_)));
  }

  // Opening the device takes most of a process's start, and nobody is timed
  // meanwhile. One after the other: a driver creates one context at a time, and
  // the candidate's looks for one as fast as its reference's.
  Result<void> Prepare(const Json& request, std::vector<os::Fd> sockets) {
    KB_ASSIGN(const record::Track track, TrackOf(request));
    KB_ASSIGN(const auto process, base::Get<int64_t>(request, "process"));
    KB_ASSIGN(const bool reference, base::Get<bool>(request, "reference"));
    if (sockets.size() != (reference ? 2 : 1))
      return base::Fail("a request to prepare carries a socket for each side");
    KB_TRY(KnowCeilings());
    KB_TRY(ShareMemory());
    KB_ASSIGN(const auto judging, NewJudging(request));
    candidate_.reset();  // of a candidate that has failed
    KB_TRY(LookForNeighbours());
    if (!given_) {
      KB_ASSIGN(given_, judging->LookAtGiven());
    }
    if (!given_->mixes && reference_->nature().constant)
      return base::Fail(
          "the inputs are the same whatever seed is set before get_inputs is "
          "called, and PyTorch has no finite answer to others, so that a "
          "candidate may keep its first answer; take the seed out of "
          "get_inputs");
    if (timed_references_.empty()) KB_TRY(judging->Rehearse());
    if (reference) {
      auto& side = timed_references_[process];
      side.reset();
      KB_ASSIGN(side, judging->Prepare(std::move(sockets.front()), true, true));
    }
    KB_ASSIGN(candidate_,
              judging->Prepare(std::move(sockets.back()),
                               track == record::Track::kPython, false));
    identity_.launch_us = judging->launch_us();
    return channel_->Send(MessageType::kPrepared, "{}");
  }

  // Nothing foreign of ours is loaded now, so that who works is not the
  // candidate. Who stays is not waited for again before the device was quiet.
  Result<void> LookForNeighbours() {
    KB_ASSIGN(neighbour_, neighbour_ ? SomebodyWorks(device_.get())
                                     : SomebodyStays(device_.get()));
    return base::Ok();
  }

  // Nothing foreign of ours is loaded now either. What others disturbed is too
  // low for those who come later.
  Result<void> KnowCeilings() {
    if (ceilings_) return base::Ok();
    ceilings_ =
        device_->is_cuda() ? KeptCeilings(device_facts_) : record::Ceilings();
    if (ceilings_) return base::Ok();
    KB_TRY(LookForNeighbours());
    // Without room for the products bytes alone make the floor.
    ceilings_ = reference_->Rates().value_or(record::Ceilings());
    KB_ASSIGN(ceilings_->bandwidth_gbps, MeasureBandwidth(device_.get()));
    if (!neighbour_) KeepCeilings(device_facts_, *ceilings_);
    return base::Ok();
  }

  Result<void> Judge(const Json& request) {
    KB_ASSIGN(const Json turn_json, base::Get<Json>(request, "turn"));
    KB_ASSIGN(const record::Turn turn, record::TurnFromJson(turn_json));
    const std::unique_ptr<Side> candidate = std::move(candidate_);
    if (!candidate)
      return base::Fail("no process was prepared for turn {}", turn.process);
    KB_TRY(ShareMemory());
    KB_TRY(exchange_->FillWeights());
    KB_ASSIGN(const auto judging, NewJudging(request));
    const auto reference = timed_references_.find(turn.process);
    KB_ASSIGN(const record::Judgement judgement,
              judging->Judge(candidate.get(),
                             reference == timed_references_.end()
                                 ? nullptr
                                 : reference->second.get(),
                             turn, [this](int64_t done, int64_t at_most) {
                               Progress(done, at_most);
                             }));
    return channel_->Send(MessageType::kJudged,
                          base::DumpJson(record::ToJson(judgement)));
  }

  Result<std::unique_ptr<Judging>> NewJudging(const Json& request) {
    KB_ASSIGN(const Json policy_json, base::Get<Json>(request, "policy"));
    KB_ASSIGN(const record::Policy policy, record::PolicyFromJson(policy_json));
    return std::make_unique<Judging>(
        Place(), identity_, policy, ToleranceOf(policy),
        [this](Hold hold, Whom whom) { return HoldJail(hold, whom); });
  }

  // Memory for jails, once for every problem: an audit needs none.
  Result<void> ShareMemory() {
    if (exchange_) return base::Ok();
    KB_ASSIGN(const uint64_t free, device_->FreeMemory());
    KB_ASSIGN(exchange_, Exchange::Create(device_.get(), kernels_.get(), facts_,
                                          SlotsFor(BytesOf(facts_), free,
                                                   device_->is_cuda())));
    KB_ASSIGN(const auto state, reference_->State());
    KB_TRY(exchange_->KeepWeights(state));
    staging_ = {};
    if (!device_->is_cuda()) return base::Ok();
    KB_ASSIGN(const auto inputs, reference_->Draw(base::SecretSeed()));
    KB_ASSIGN(staging_, MeasureStaging(occupation_.get(), kernels_.get(),
                                       &*exchange_, inputs));
    KB_ASSIGN(const uint64_t left, device_->FreeMemory());
    exact_fits_ = FitsInDouble(exchange_->NeedsOf(*reference_), left);
    return base::Ok();
  }

  Result<void> HoldJail(Hold hold, Whom whom) {
    constexpr const char* kWords[] = {"begin", "confine", "suspend", "resume",
                                      "end"};
    const char* what = kWords[static_cast<size_t>(hold)];
    const char* name = whom == Whom::kCandidate ? "candidate" : "reference";
    KB_TRY(channel_->Send(MessageType::kHold,
                          base::DumpJson({{"do", what}, {"whom", name}})));
    KB_ASSIGN(const auto answer, channel_->Receive(std::nullopt));
    if (answer && answer->type == MessageType::kHeld) return base::Ok();
    return base::Fail("the orchestrator does not hold the {}", name);
  }

  Result<void> Audit(const Json& request) {
    KB_ASSIGN(const Json policy_json, base::Get<Json>(request, "policy"));
    KB_ASSIGN(const record::Policy policy, record::PolicyFromJson(policy_json));
    KB_ASSIGN(const bool mutants, base::Get<bool>(request, "mutants"));
    KB_ASSIGN(const record::Audit audit,
              RunAudit(Place(), facts_, policy, ToleranceOf(policy), mutants));
    return channel_->Send(MessageType::kAudited,
                          base::DumpJson(record::ToJson(audit)));
  }

  record::Tolerance ToleranceOf(const record::Policy& policy) const {
    return record::FixedTolerance(
        policy, record::JudgedType(facts_, identity_.precision));
  }

  void Progress(int64_t done, int64_t at_most) {
    // Only for the eyes: the orchestrator's end is noticed at the next receive.
    (void)channel_->Send(MessageType::kProgress,
                         base::DumpJson({{"done", done}, {"of", at_most}}));
  }

  static Result<record::Track> TrackOf(const Json& request) {
    KB_ASSIGN(const auto name, base::Get<std::string>(request, "track"));
    const auto track = record::ParseTrack(name);
    if (!track) return base::Fail("unknown track \"{}\"", name);
    return *track;
  }

  TrialParts Place() {
    return {device_.get(),
            kernels_.get(),
            occupation_.get(),
            reference_.get(),
            exchange_ ? &*exchange_ : nullptr,
            ceilings_.value_or(record::Ceilings()),
            staging_,
            exact_fits_,
            neighbour_,
            given_.value_or(Given()),
            slack_ ? &*slack_ : nullptr};
  }

  wire::Channel* channel_;
  record::DeviceFacts device_facts_;
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Kernels> kernels_;
  std::unique_ptr<device::Occupation> occupation_;
  std::unique_ptr<Reference> reference_;
  wire::Setup identity_;
  record::ProblemFacts facts_;
  bool open_ = false;
  std::optional<Exchange> exchange_;
  Staging staging_;
  bool exact_fits_ = true;
  bool neighbour_ = false;
  std::optional<Given> given_;  // of the problem that is open
  std::optional<Slack> slack_;
  std::unique_ptr<Side> candidate_;  // prepared for the next turn
  std::map<int64_t, std::unique_ptr<Side>> timed_references_;  // by turn
  std::optional<record::Ceilings> ceilings_;
};

Result<void> Run(
    int socket, const std::string& device_name,
    const std::string& torch_version,
    const std::function<std::unique_ptr<Reference>(device::Device*)>&
        make_reference) {
  wire::Channel channel{os::Fd(socket)};
  KB_ASSIGN(auto device, device::Device::Open(device_name));
  // Its clock counts, and others may work on its processor. For root only; a
  // reading in which they take it all the same is taken again.
  if (device->is_cuda()) ::setpriority(PRIO_PROCESS, 0, -20);
  KB_ASSIGN(auto kernels, device::Kernels::Create(device.get()));
  KB_ASSIGN(auto occupation, device::Occupation::Create(device.get()));
  const record::DeviceFacts facts{device_name, device->Name(), device->Driver(),
                                  torch_version, device->Arch()};
  KB_TRY(
      channel.Send(MessageType::kHello, base::DumpJson(record::ToJson(facts))));
  auto reference = make_reference(device.get());
  Session session(&channel, facts, std::move(device), std::move(kernels),
                  std::move(occupation), std::move(reference));
  while (true) {
    KB_ASSIGN(auto message, channel.Receive(std::nullopt));
    if (!message || message->type == MessageType::kQuit) return base::Ok();
    const Result<void> answered = session.Answer(std::move(*message));
    if (!answered)
      KB_TRY(channel.Send(
          MessageType::kFailed,
          base::DumpJson({{"error", answered.error().message()}})));
  }
}

}  // namespace

int Serve(int socket, const std::string& device_name,
          const std::string& torch_version,
          const std::function<std::unique_ptr<Reference>(device::Device*)>&
              make_reference) {
  // Not readable by other processes of the same uid, which a jail without own
  // uid is (level `none`, or `reduced` when we are not root).
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const Result<void> result =
      Run(socket, device_name, torch_version, make_reference);
  if (result) return 0;
  std::fprintf(stderr, "kernelbench oracle: %s\n",
               result.error().message().c_str());
  return 70;  // EX_SOFTWARE
}

}  // namespace kb::oracle
