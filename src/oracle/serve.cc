#include "oracle/serve.h"

#include <sys/prctl.h>

#include <cstdio>
#include <optional>

#include "audit.h"
#include "baseline.h"
#include "exchange.h"
#include "jail_link.h"
#include "trials.h"
#include "wire/channel.h"

namespace kb::oracle {
namespace {

using base::Json;
using base::Result;
using wire::MessageType;

std::chrono::milliseconds Millis(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

// One problem at a time.
class Session {
 public:
  Session(wire::Channel* channel, std::string device_name,
          std::unique_ptr<device::Device> device,
          std::unique_ptr<device::Kernels> kernels,
          std::unique_ptr<Reference> reference)
      : channel_(channel),
        device_name_(std::move(device_name)),
        device_(std::move(device)),
        kernels_(std::move(kernels)),
        reference_(std::move(reference)) {}

  // Answers one message; an Error becomes kFailed.
  Result<void> Answer(wire::Message message) {
    KB_ASSIGN(const Json request,
              base::ParseJson(message.payload, "a request"));
    switch (message.type) {
      case MessageType::kOpenProblem:
        return Open(request);
      case MessageType::kJudge:
        if (message.fds.size() != 1)
          return base::Fail("a request to judge carries one socket");
        if (!open_) return base::Fail("no problem is open");
        return Judge(request, std::move(message.fds[0]));
      case MessageType::kAudit:
        if (!open_) return base::Fail("no problem is open");
        return Audit(request);
      case MessageType::kBaseline:
        if (!open_) return base::Fail("no problem is open");
        return Baseline(request);
      default:
        return base::Fail("an unexpected message");
    }
  }

 private:
  Result<void> Open(const Json& request) {
    exchange_.reset();
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
    open.precision =
        record::ParsePrecision(precision).value_or(record::Precision::kFp32);
    identity_.device = device_name_;
    identity_.precision = open.precision;
    identity_.construction_seed = open.construction_seed;
    KB_ASSIGN(facts_, reference_->Open(open));
    open_ = true;
    return channel_->Send(MessageType::kProblemOpened,
                          base::DumpJson(record::ToJson(facts_)));
  }

  Result<void> Judge(const Json& request, os::Fd socket) {
    KB_ASSIGN(const record::Track track, TrackOf(request));
    KB_ASSIGN(const Json policy_json, base::Get<Json>(request, "policy"));
    KB_ASSIGN(const record::Policy policy, record::PolicyFromJson(policy_json));
    KB_TRY(ShareMemory());
    KB_ASSIGN(JailLink jail,
              JailLink::Connect(std::move(socket), device_->is_cuda()));
    KB_ASSIGN(const record::Judgement judgement, RunJail(&jail, track, policy));
    return channel_->Send(MessageType::kJudged,
                          base::DumpJson(record::ToJson(judgement)));
  }

  // Memory for jails, once for every problem: an audit needs none.
  Result<void> ShareMemory() {
    if (exchange_) return base::Ok();
    KB_ASSIGN(const auto state, reference_->State());
    KB_ASSIGN(exchange_,
              Exchange::Create(device_.get(), kernels_.get(), facts_, state));
    return base::Ok();
  }

  Result<void> Audit(const Json& request) {
    KB_ASSIGN(const Json policy_json, base::Get<Json>(request, "policy"));
    KB_ASSIGN(const record::Policy policy, record::PolicyFromJson(policy_json));
    KB_ASSIGN(const bool mutants, base::Get<bool>(request, "mutants"));
    KB_ASSIGN(const record::Audit audit,
              RunAudit(bench(), facts_, policy, ToleranceOf(policy), mutants));
    return channel_->Send(MessageType::kAudited,
                          base::DumpJson(record::ToJson(audit)));
  }

  Result<void> Baseline(const Json& request) {
    KB_ASSIGN(const Json policy_json, base::Get<Json>(request, "policy"));
    KB_ASSIGN(const record::Policy policy, record::PolicyFromJson(policy_json));
    KB_ASSIGN(const auto name, base::Get<std::string>(request, "mode"));
    const auto mode = record::ParseBaselineMode(name);
    if (!mode) return base::Fail("unknown baseline \"{}\"", name);
    KB_ASSIGN(const record::BaselineTimes times,
              MeasureBaseline(bench(), policy, ToleranceOf(policy), *mode,
                              [this](int64_t done, int64_t at_most) {
                                Progress(done, at_most);
                              }));
    return channel_->Send(MessageType::kBaselined,
                          base::DumpJson(record::ToJson(times)));
  }

  record::Tolerance ToleranceOf(const record::Policy& policy) const {
    return policy.tolerance.value_or(
        record::DefaultTolerance(identity_.precision));
  }

  // Set-up, calibration in the still trusted process, loading, trials.
  Result<record::Judgement> RunJail(JailLink* jail, record::Track track,
                                    const record::Policy& policy) {
    const bool timed = policy.max_timed_trials > 0;
    wire::Setup identity = identity_;
    identity.calibration_calls =
        timed ? Trials::CalibrationCalls(device_->is_cuda()) : 0;
    Trials trials(bench(), jail, policy, ToleranceOf(policy), track);
    record::Judgement judgement;
    if (!jail->SetUp(*exchange_, identity)) {
      judgement.status = record::Judgement::Status::kGone;
      return judgement;
    }
    if (timed) {
      KB_ASSIGN(const bool calibrated, trials.Calibrate(&judgement));
      if (!calibrated) return judgement;
    }
    jail->AwaitLoaded(Millis(policy.load_seconds), &judgement);
    if (judgement.loaded)
      KB_TRY(trials.Judge(&judgement, [this](int64_t done, int64_t at_most) {
        Progress(done, at_most);
      }));
    return judgement;
  }

  void Progress(int64_t done, int64_t at_most) {
    // Only for the eyes: the orchestrator's end is noticed at the next receive.
    (void)channel_->Send(MessageType::kProgress,
                         base::DumpJson({{"done", done}, {"of", at_most}}));
  }

  static Result<record::Track> TrackOf(const Json& request) {
    KB_ASSIGN(const auto name, base::Get<std::string>(request, "track"));
    return name == "python" ? record::Track::kPython : record::Track::kNative;
  }

  Bench bench() {
    return {device_.get(), kernels_.get(), reference_.get(),
            exchange_ ? &*exchange_ : nullptr};
  }

  wire::Channel* channel_;
  std::string device_name_;
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Kernels> kernels_;
  std::unique_ptr<Reference> reference_;
  wire::Setup identity_;
  record::ProblemFacts facts_;
  bool open_ = false;
  std::optional<Exchange> exchange_;
};

Result<void> Run(
    int socket, const std::string& device_name,
    const std::string& torch_version,
    const std::function<std::unique_ptr<Reference>(device::Device*)>&
        make_reference) {
  wire::Channel channel{os::Fd(socket)};
  KB_ASSIGN(auto device, device::Device::Open(device_name));
  KB_ASSIGN(auto kernels, device::Kernels::Create(device.get()));
  const record::DeviceFacts facts{device_name, device->Name(), device->Driver(),
                                  torch_version, device->Arch()};
  KB_TRY(
      channel.Send(MessageType::kHello, base::DumpJson(record::ToJson(facts))));
  auto reference = make_reference(device.get());
  Session session(&channel, device_name, std::move(device), std::move(kernels),
                  std::move(reference));
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
