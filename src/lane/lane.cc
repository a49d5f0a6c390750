#include "lane/lane.h"

#include <poll.h>
#include <sys/stat.h>

#include <optional>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "jail/fork_server.h"
#include "jail_spec.h"
#include "os/process.h"
#include "wire/channel.h"

namespace kb::lane {
namespace {

using base::Json;
using base::Result;
using std::chrono::milliseconds;
using std::chrono::seconds;
using wire::MessageType;

constexpr const char* kInterrupted = "interrupted";

// The candidate's file, readable by the jail's user.
Result<os::TempDir> WriteFiles(const JailRequest& request) {
  KB_ASSIGN(os::TempDir folder, os::TempDir::Create("kb-candidate"));
  if (chmod(folder.path().c_str(), 0755) != 0)
    return os::FailErrno("chmod " + folder.path());
  std::string path = folder.path() + "/" + request.name;
  std::string bytes = request.source;
  if (request.track == record::Track::kNative) {
    path = folder.path() + "/candidate.so";
    KB_ASSIGN(bytes, os::ReadFile(request.library, uint64_t{1} << 30));
  }
  KB_TRY(os::WriteFileAtomically(path, bytes));
  if (chmod(path.c_str(), 0755) != 0) return os::FailErrno("chmod " + path);
  return folder;
}

// The processes that one problem's reference is timed in, by turn.
struct References {
  JailRequest request;
  std::vector<std::unique_ptr<WaitingJail>> jails;  // null: none was started
};

JailRequest ReferenceRequest(const record::Problem& problem,
                             const record::Policy& policy) {
  JailRequest request;
  request.track = record::Track::kPython;
  request.name = "reference.py";
  request.source = problem.source;
  request.entry = problem.reference;
  request.policy = policy;
  return request;
}

milliseconds LifeOf(const record::Policy& policy) {
  return milliseconds(static_cast<int64_t>(policy.wall_seconds * 1000));
}

// The oracle's limit while it waits for a candidate. Who says nothing until its
// life ends shall end, be taken down, and be told of, before the oracle is
// given up.
seconds BeyondItsEnd(seconds limit, milliseconds life) {
  constexpr seconds kToTakeDown{60};
  return limit + std::chrono::ceil<seconds>(life) + kToTakeDown;
}

bool AreSame(const JailRequest& a, const JailRequest& b) {
  return a.source == b.source && a.entry == b.entry && a.policy == b.policy;
}

}  // namespace

WaitingJail::WaitingJail(jail::Jail jail, os::Fd oracle_end, os::TempDir files)
    : files_(std::move(files)),
      jail_(std::move(jail)),
      oracle_end_(std::move(oracle_end)) {}

WaitingJail::~WaitingJail() = default;

struct Lane::State {
  LaneOptions options;
  std::stop_token stop;
  os::Process oracle;
  wire::Channel channel;
  record::DeviceFacts device;
  bool alive = true;
  std::optional<std::chrono::seconds> answer_limit;
  References references;  // of the open problem
  References next;        // of the one after it
  // The parent of the Python programs; null before the first of them.
  std::unique_ptr<jail::ForkServer> server;
  // What the oracle reads just now, and the candidate's life from its turn on.
  WaitingJail* candidate = nullptr;
  WaitingJail* reference = nullptr;
  milliseconds life{0};

  // The oracle's next message. An Error when it died or we were interrupted.
  Result<wire::Message> Next();
  // The next message that is no progress; an Error for kFailed.
  Result<wire::Message> Answer(
      MessageType expected,
      const std::function<void(int64_t, int64_t)>& progress);
  Result<void> Request(MessageType type, const Json& body,
                       const std::vector<int>& fds = {});
  // Moves it to the processors on which it is timed, if these are set apart. On
  // a GPU's, where nobody else of ours runs, it goes before other programs.
  void ConfineToTimed(WaitingJail* process) const;
  // Does with one of the two what the oracle asks for.
  Result<void> Hold(const Json& order);
  Result<std::unique_ptr<WaitingJail>> Launch(const JailRequest& request);
  Result<jail::Jail> StartJail(jail::JailSpec spec, record::Track track);
  // Null: Python programs are executed.
  jail::ForkServer* Server();
  Result<void> LaunchReferences(References* of, size_t count);
  Result<std::unique_ptr<WaitingJail>> LaunchReference(
      const JailRequest& request);
  // The reference's process at this turn, launched if it has not been.
  Result<WaitingJail*> ReferenceAt(size_t turn);
  // Ends the reference's process, which may be what failed, and adds its words.
  base::Error Explain(const base::Error& error, size_t turn);
};

Result<wire::Message> Lane::State::Next() {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    if (answer_limit &&
        std::chrono::steady_clock::now() - begin > *answer_limit) {
      alive = false;
      oracle.Kill();
      return base::Fail("the oracle of {} gave no answer in {} s",
                        options.device, answer_limit->count());
    }
    if (stop.stop_requested()) {
      alive = false;
      return base::Fail("{}", kInterrupted);
    }
    pollfd entry{channel.fd(), POLLIN, 0};
    constexpr int kLookForStopMillis = 50;
    if (poll(&entry, 1, kLookForStopMillis) <= 0) continue;
    auto message = channel.Receive(milliseconds(1000));
    if (message && *message) return std::move(**message);
    alive = false;
    const std::string how = message
                                ? os::Describe(oracle.Wait(milliseconds(2000)))
                                : message.error().message();
    return base::Fail("the oracle of {} died: {}", options.device, how);
  }
}

Result<wire::Message> Lane::State::Answer(
    MessageType expected,
    const std::function<void(int64_t, int64_t)>& progress) {
  while (true) {
    KB_ASSIGN(wire::Message message, Next());
    if (message.type == expected) return message;
    KB_ASSIGN(const Json body,
              base::ParseJson(message.payload, "the oracle's answer"));
    if (message.type == MessageType::kProgress && progress) {
      progress(body.value("done", int64_t{0}), body.value("of", int64_t{0}));
    } else if (message.type == MessageType::kHold) {
      KB_TRY(Hold(body));
    } else if (message.type == MessageType::kFailed) {
      return base::Fail("{}", body.value("error", "no reason given"));
    }
  }
}

void Lane::State::ConfineToTimed(WaitingJail* process) const {
  const std::vector<int>& timed = options.processors.timed;
  if (timed.empty()) return;
  process->jail().Confine(timed);
  if (options.device != "cpu") process->jail().Prefer();
}

Result<void> Lane::State::Hold(const Json& order) {
  const std::string what = order.value("do", "");
  WaitingJail* const process =
      order.value("whom", "") == "reference" ? reference : candidate;
  if (process != nullptr) {
    jail::Jail& jail = process->jail();
    if (what == "begin") jail.LimitLife(life);
    if (what == "confine") ConfineToTimed(process);
    if (what == "suspend") jail.Suspend();
    if (what == "resume") jail.Resume();
    if (what == "end") {
      jail.Kill();
      jail.Wait();
    }
  }
  return channel.Send(MessageType::kHeld, "{}");
}

Result<void> Lane::State::Request(MessageType type, const Json& body,
                                  const std::vector<int>& fds) {
  const auto sent = channel.Send(type, base::DumpJson(body), fds);
  if (!sent) alive = false;
  return sent;
}

Result<std::unique_ptr<Lane>> Lane::Start(const LaneOptions& options,
                                          std::stop_token stop) {
  KB_ASSIGN(auto pair, os::SocketPair());
  os::Process::Options process;
  process.argv = {options.python, "-I", options.root + "/hosts/oracle_host.py",
                  options.root + "/lib/libkb_oracle.so", DeviceInside(options)};
  process.inherited_fds = {pair.second.get()};
  process.extra_env = options.oracle_env;
  process.extra_env.merge(GpuEnvironment(options));
  const RunOn where(options.processors.oracle);
  KB_ASSIGN(os::Process oracle, os::Process::Start(process));
  pair.second.Close();
  auto state =
      std::make_unique<State>(State{options,
                                    std::move(stop),
                                    std::move(oracle),
                                    wire::Channel(std::move(pair.first)),
                                    {},
                                    true,
                                    {},
                                    {},
                                    {},
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    milliseconds(0)});
  return std::unique_ptr<Lane>(new Lane(std::move(state)));
}

Result<void> Lane::AwaitOracle() {
  state_->answer_limit = state_->options.start_limit;
  const auto hello = state_->Answer(MessageType::kHello, nullptr);
  if (!hello) return base::Propagate(hello.error().Wrap("starting an oracle"));
  state_->answer_limit.reset();
  KB_ASSIGN(const Json facts, base::ParseJson(hello->payload, "hello"));
  KB_ASSIGN(state_->device, record::DeviceFactsFromJson(facts));
  state_->device.device = state_->options.device;
  return base::Ok();
}

Lane::Lane(std::unique_ptr<State> state) : state_(std::move(state)) {}
Lane::~Lane() = default;

const record::DeviceFacts& Lane::device() const { return state_->device; }
bool Lane::alive() const {
  return state_->alive && !state_->channel.PeerClosed();
}

Result<record::ProblemFacts> Lane::Open(const record::Problem& problem,
                                        record::Precision precision,
                                        const record::Policy& policy) {
  const JailRequest request = ReferenceRequest(problem, policy);
  state_->references = AreSame(state_->next.request, request)
                           ? std::move(state_->next)
                           : References{request, {}};
  state_->next = {};
  const bool original = policy.procedure == record::Procedure::kOriginal;
  KB_TRY(state_->Request(
      MessageType::kOpenProblem,
      {{"id", problem.id},
       {"source", problem.source},
       {"reference", problem.reference},
       {"precision", record::PrecisionName(precision)},
       {"precision_rule", record::PrecisionRuleName(policy.precision)},
       {"redraw_flat_parameters", policy.redraw_flat_parameters},
       {"redraw_seed", base::SecretSeed() >> 1},
       {"cpu_seeds",
        original ? record::PublicSeeds(policy) : std::vector<uint64_t>()},
       {"mixed_inputs", policy.inputs == record::InputStyle::kMixed},
       {"own_weights", original}}));
  KB_ASSIGN(const wire::Message answer,
            state_->Answer(MessageType::kProblemOpened, nullptr));
  KB_ASSIGN(const Json facts, base::ParseJson(answer.payload, "facts"));
  return record::ProblemFactsFromJson(facts);
}

Result<record::Audit> Lane::Audit(const record::Policy& policy, bool mutants) {
  KB_TRY(state_->Request(
      MessageType::kAudit,
      {{"policy", record::ToJson(policy)}, {"mutants", mutants}}));
  KB_ASSIGN(const wire::Message answer,
            state_->Answer(MessageType::kAudited, nullptr));
  KB_ASSIGN(const Json json, base::ParseJson(answer.payload, "audit"));
  return record::AuditFromJson(json);
}

void Lane::SetAnswerLimit(std::chrono::seconds limit) {
  state_->answer_limit = limit;
}

Result<std::unique_ptr<WaitingJail>> Lane::Launch(const JailRequest& request) {
  return state_->Launch(request);
}

Result<std::unique_ptr<WaitingJail>> Lane::State::Launch(
    const JailRequest& request) {
  KB_ASSIGN(os::TempDir files, WriteFiles(request));
  KB_ASSIGN(auto pair, os::SocketPair());
  KB_ASSIGN(
      jail::Jail jail,
      StartJail(MakeJailSpec(options, request, files.path(), pair.second.get()),
                request.track));
  return std::make_unique<WaitingJail>(std::move(jail), std::move(pair.first),
                                       std::move(files));
}

Result<jail::Jail> Lane::State::StartJail(jail::JailSpec spec,
                                          record::Track track) {
  if (track == record::Track::kPython) spec.server = Server();
  auto jail = jail::Jail::Start(spec);
  if (jail || spec.server == nullptr || spec.server->alive()) return jail;
  spec.server = nullptr;
  return jail::Jail::Start(spec);
}

// The first program is started before anybody is timed, so that the processors
// for that are free.
jail::ForkServer* Lane::State::Server() {
  if (!server) {
    const RunOn idle(options.processors.timed);
    auto started = jail::ForkServer::Start(ForkServerOptions(options));
    if (!started) return nullptr;
    server = std::move(*started);
  }
  return server->alive() ? server.get() : nullptr;
}

Result<void> Lane::LaunchReferences(const record::Problem& problem,
                                    const record::Policy& policy,
                                    int64_t processes) {
  if (policy.max_timed_trials == 0) return base::Ok();
  const JailRequest request = ReferenceRequest(problem, policy);
  const auto count = static_cast<size_t>(processes);
  if (AreSame(state_->references.request, request))
    return state_->LaunchReferences(&state_->references, count);
  if (!AreSame(state_->next.request, request)) state_->next = {request, {}};
  return state_->LaunchReferences(&state_->next, count);
}

Result<void> Lane::State::LaunchReferences(References* of, size_t count) {
  if (of->jails.size() < count) of->jails.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (of->jails[i]) continue;
    KB_ASSIGN(of->jails[i], LaunchReference(of->request));
  }
  return base::Ok();
}

// It is trusted. A level that cannot show it our Python, because another user
// may not read it there, is for candidates only.
Result<std::unique_ptr<WaitingJail>> Lane::State::LaunchReference(
    const JailRequest& request) {
  auto launched = Launch(request);
  if (launched || options.isolation != jail::Isolation::kReduced)
    return launched;
  options.isolation = jail::Isolation::kNone;
  launched = Launch(request);
  options.isolation = jail::Isolation::kReduced;
  return launched;
}

Result<WaitingJail*> Lane::State::ReferenceAt(size_t turn) {
  auto& jails = references.jails;
  if (jails.size() <= turn) jails.resize(turn + 1);
  if (!jails[turn]) {
    KB_ASSIGN(jails[turn], LaunchReference(references.request));
  }
  return jails[turn].get();
}

base::Error Lane::State::Explain(const base::Error& error, size_t turn) {
  if (turn >= references.jails.size() || !references.jails[turn]) return error;
  auto& failed = references.jails[turn];
  failed->jail().Kill();
  const std::string words = failed->jail().Wait().output;
  failed.reset();
  if (words.empty()) return error;
  return error.Wrap(fmt::format("the reference's process says \"{}\"",
                                base::Shorten(base::LastLine(words), 300)));
}

Result<void> Lane::Prepare(WaitingJail* jail, int64_t process,
                           record::Track track, const record::Policy& policy) {
  const auto turn = static_cast<size_t>(process);
  std::vector<os::Fd*> ends;
  if (policy.max_timed_trials > 0) {
    KB_ASSIGN(WaitingJail* const reference, state_->ReferenceAt(turn));
    if (reference->oracle_end().valid())
      ends.push_back(&reference->oracle_end());
  }
  const bool reference = !ends.empty();
  ends.push_back(&jail->oracle_end());
  std::vector<int> sockets;
  for (const os::Fd* end : ends) sockets.push_back(end->get());
  KB_TRY(state_->Request(MessageType::kPrepare,
                         {{"process", process},
                          {"track", record::TrackName(track)},
                          {"policy", record::ToJson(policy)},
                          {"reference", reference}},
                         sockets));
  for (os::Fd* end : ends) end->Close();
  const auto answer = state_->Answer(MessageType::kPrepared, nullptr);
  if (answer) return base::Ok();
  return base::Propagate(state_->Explain(answer.error(), turn));
}

Result<TurnResult> Lane::Judge(
    std::unique_ptr<WaitingJail> jail, const record::Policy& policy,
    const record::Turn& turn,
    const std::function<void(int64_t, int64_t)>& progress) {
  const auto process = static_cast<size_t>(turn.process);
  WaitingJail* reference = nullptr;
  if (policy.max_timed_trials > 0) {
    KB_ASSIGN(reference, state_->ReferenceAt(process));
    state_->ConfineToTimed(reference);
  }
  // What torch.compile makes on a GPU may be made on many processors, until the
  // oracle times it.
  if (!turn.compiled || state_->options.device == "cpu")
    state_->ConfineToTimed(jail.get());
  KB_TRY(state_->Request(
      MessageType::kJudge,
      {{"policy", record::ToJson(policy)}, {"turn", record::ToJson(turn)}}));
  state_->candidate = jail.get();
  state_->reference = reference;
  state_->life = LifeOf(policy);
  const auto limit = state_->answer_limit;
  if (limit) state_->answer_limit = BeyondItsEnd(*limit, state_->life);
  const auto answer = state_->Answer(MessageType::kJudged, progress);
  state_->answer_limit = limit;
  state_->candidate = state_->reference = nullptr;
  if (!answer) return base::Propagate(state_->Explain(answer.error(), process));
  TurnResult outcome;
  KB_ASSIGN(const Json json, base::ParseJson(answer->payload, "judgement"));
  KB_ASSIGN(outcome.judgement, record::JudgementFromJson(json));
  // A jail whose socket closed is usually ending by itself, and how it ended is
  // what we want to know. All others are of no use any more.
  using Status = record::Judgement::Status;
  if (outcome.judgement.status == Status::kGone ||
      outcome.judgement.status == Status::kNotStarted) {
    constexpr int kGraceMillis = 2000;
    pollfd ended{jail->jail().wait_fd(), POLLIN, 0};
    poll(&ended, 1, kGraceMillis);
  }
  jail->jail().Kill();
  outcome.exit = jail->jail().Wait();
  return outcome;
}

}  // namespace kb::lane
