#include "oracle/serve.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <thread>

#include "candidate/serve.h"
#include "record/audit.h"
#include "record/baseline.h"
#include "record/evaluation.h"
#include "wire/channel.h"

// The oracle and a jail's library, each on a thread of its own, over the real
// protocol, on the cpu device. The reference doubles its input.

namespace kb::oracle {
namespace {

using candidate::CallResult;
using record::Judgement;
using wire::MessageType;
using Status = record::Judgement::Status;

constexpr int64_t kElements = 1000;
record::TensorSpec Spec() { return {record::DType::kFloat32, {kElements}}; }

// Whether the reference draws a random number in forward, and how.
std::atomic<bool> g_random = false;
float NoiseOf(uint64_t generator_seed) {
  return static_cast<float>(generator_seed % 1000);
}

class Doubling : public Reference {
 public:
  base::Result<record::ProblemFacts> Open(const OpenRequest&) override {
    record::ProblemFacts facts;
    facts.inputs.push_back({record::Value::Tensor{Spec()}});
    facts.outputs.push_back(Spec());
    return facts;
  }
  base::Result<std::vector<TensorView>> State() override {
    return std::vector<TensorView>();
  }
  base::Result<std::vector<TensorView>> Draw(uint64_t seed) override {
    uint64_t state = seed;
    for (float& value : input_) {
      state = state * 6364136223846793005 + 1442695040888963407;
      value = static_cast<float>(state >> 40) / (1 << 24);
    }
    return View(&input_);
  }
  base::Result<Run> Forward(uint64_t generator_seed) override {
    const float noise = g_random ? NoiseOf(generator_seed) : 0;
    for (size_t i = 0; i < input_.size(); ++i)
      output_[i] = 2 * input_[i] + noise;
    return Run{View(&output_), 10};
  }
  base::Result<std::vector<TensorView>> ForwardPrecise() override {
    return View(&output_);
  }
  // What an earlier call returned is no longer valid, as with PyTorch.
  base::Result<std::vector<TensorView>> ForwardInDouble() override {
    std::ranges::fill(exact_.at(turn_), std::numeric_limits<double>::max());
    turn_ = 1 - turn_;
    exact_.at(turn_).assign(output_.begin(), output_.end());
    record::TensorSpec spec = Spec();
    spec.dtype = record::DType::kFloat64;
    return std::vector<TensorView>{
        {spec, reinterpret_cast<std::byte*>(exact_.at(turn_).data())}};
  }
  base::Result<Prepared> Prepare(const std::string& mode) override {
    if (mode == "max-autotune-no-cudagraphs")
      return base::Fail("Traceback\nInductorError: no");
    shift_ = mode == "default" ? 1 : 0;
    return Prepared{1.5, "cudnn"};
  }
  // Half as long as eager, and wrong in one element.
  base::Result<Run> ForwardPrepared(uint64_t) override {
    prepared_ = output_;
    prepared_[7] += shift_;
    return Run{View(&prepared_), 5};
  }
  base::Result<Inspection> Inspect() override {
    Inspection inspection;
    inspection.mutants = {"right", "shifted", "short", "none", "broken"};
    inspection.flops = 1000;
    return inspection;
  }
  base::Result<std::optional<std::vector<TensorView>>> Mutate(
      const std::string& name) override {
    if (name == "none") return std::optional<std::vector<TensorView>>();
    if (name == "broken") return base::Fail("Traceback\nTypeError: no");
    mutant_ = output_;
    if (name == "shifted") mutant_[3] += 1;
    auto view = View(&mutant_);
    if (name == "short") view[0].spec.shape[0] -= 1;
    return std::optional(std::move(view));
  }

 private:
  static std::vector<TensorView> View(std::vector<float>* values) {
    return {{Spec(), reinterpret_cast<std::byte*>(values->data())}};
  }
  std::vector<float> input_ = std::vector<float>(kElements);
  std::vector<float> output_ = std::vector<float>(kElements);
  std::vector<float> mutant_;
  std::vector<float> prepared_;
  float shift_ = 0;
  std::array<std::vector<double>, 2> exact_;
  size_t turn_ = 0;
};

struct Call {
  float* input = nullptr;
  float* output = nullptr;
  int number = 0;  // 0, 1, ...
  uint64_t generator_seed = 0;
  int socket = -1;
};
// What a candidate does in a call, before and after it says that it is done.
struct Behaviour {
  std::function<CallResult(const Call&)> forward;
  std::function<void(const Call&)> afterwards = [](const Call&) {};
  bool answers = true;
};

CallResult Honest(const Call& call) {
  for (int64_t i = 0; i < kElements; ++i) call.output[i] = 2 * call.input[i];
  return {wire::CallStatus::kOk, "", 10, 0};
}

class ScriptedBody : public candidate::Body {
 public:
  ScriptedBody(Behaviour behaviour, int socket)
      : behaviour_(std::move(behaviour)), socket_(socket) {}
  CallResult Load(const candidate::Memory& memory) override {
    memory_ = &memory;
    return {};
  }
  void Prepare(const wire::CallPlan& plan) override {
    call_.input = reinterpret_cast<float*>(memory_->input(plan.input_slot, 0));
    call_.output =
        reinterpret_cast<float*>(memory_->output(plan.output_slot, 0));
    call_.socket = socket_;
    call_.generator_seed = plan.generator_seed;
  }
  void Call(const Publish& publish) override {
    const CallResult result = behaviour_.forward(call_);
    if (behaviour_.answers) publish(result);
    behaviour_.afterwards(call_);
    ++call_.number;
  }

 private:
  Behaviour behaviour_;
  int socket_;
  const candidate::Memory* memory_ = nullptr;
  oracle::Call call_;
};

std::pair<os::Fd, os::Fd> Sockets() {
  return os::SocketPair().value_or(std::pair<os::Fd, os::Fd>());
}

class OracleTest : public testing::Test {
 protected:
  void SetUp() override {
    auto [ours, theirs] = Sockets();
    channel_.emplace(std::move(ours));
    thread_ = std::thread([socket = theirs.Release()] {
      Serve(socket, "cpu", "none",
            [](device::Device*) { return std::make_unique<Doubling>(); });
    });
    EXPECT_EQ(Receive().type, MessageType::kHello);
    const base::Json open{{"id", "level1/1"},
                          {"source", ""},
                          {"reference", "Model"},
                          {"precision", "fp32"},
                          {"redraw_flat_parameters", false},
                          {"redraw_seed", 0}};
    ASSERT_TRUE(
        channel_->Send(MessageType::kOpenProblem, base::DumpJson(open)));
    EXPECT_EQ(Receive().type, MessageType::kProblemOpened);
    policy_.min_timed_trials = policy_.max_timed_trials = 4;
    policy_.call_seconds = 0.5;
  }
  void TearDown() override {
    channel_.reset();
    thread_.join();
  }

  wire::Message Receive() {
    auto message = channel_->Receive(std::chrono::seconds(60));
    EXPECT_TRUE(message && *message);
    return message && *message ? std::move(**message) : wire::Message();
  }

  Judgement Judge(Behaviour behaviour) {
    auto [ours, theirs] = Sockets();
    std::thread jail([&behaviour, socket = theirs.Release()] {
      candidate::Serve(socket, "cpu", [&](device::Device* device) {
        return candidate::Bodies{
            candidate::NewCalibrationBody(device),
            std::make_unique<ScriptedBody>(behaviour, socket)};
      });
    });
    const base::Json request{{"track", "native"},
                             {"policy", record::ToJson(policy_)}};
    EXPECT_TRUE(channel_->Send(MessageType::kJudge, base::DumpJson(request),
                               {ours.get()}));
    ours = os::Fd();
    wire::Message answer = Receive();
    while (answer.type == MessageType::kProgress) answer = Receive();
    EXPECT_EQ(answer.type, MessageType::kJudged) << answer.payload;
    jail.join();
    const auto json = base::ParseJson(answer.payload, "the judgement");
    auto judgement = record::JudgementFromJson(*json);
    EXPECT_TRUE(judgement);
    return judgement.value_or(Judgement());
  }

  record::Audit AuditIt() {
    const base::Json request{{"policy", record::ToJson(policy_)},
                             {"mutants", true}};
    EXPECT_TRUE(channel_->Send(MessageType::kAudit, base::DumpJson(request)));
    const wire::Message answer = Receive();
    EXPECT_EQ(answer.type, MessageType::kAudited) << answer.payload;
    const auto json = base::ParseJson(answer.payload, "audit");
    auto audit = record::AuditFromJson(*json);
    EXPECT_TRUE(audit) << audit.error().message();
    return audit.value_or(record::Audit());
  }

  // "zeros=killed stale=survived "
  record::BaselineTimes Baseline(record::BaselineMode mode) {
    const base::Json request{{"policy", record::ToJson(policy_)},
                             {"mode", record::BaselineModeName(mode)}};
    EXPECT_TRUE(
        channel_->Send(MessageType::kBaseline, base::DumpJson(request)));
    wire::Message answer = Receive();
    while (answer.type == MessageType::kProgress) answer = Receive();
    EXPECT_EQ(answer.type, MessageType::kBaselined) << answer.payload;
    const auto json = base::ParseJson(answer.payload, "the times");
    auto times = record::BaselineTimesFromJson(*json);
    EXPECT_TRUE(times);
    return times.value_or(record::BaselineTimes());
  }

  static std::string OutcomesOf(const record::Audit& audit) {
    std::string outcomes;
    for (const record::MutantResult& mutant : audit.mutants)
      outcomes += mutant.name + "=" + record::OutcomeName(mutant.outcome) + " ";
    return outcomes;
  }

  record::Policy policy_;
  std::optional<wire::Channel> channel_;
  std::thread thread_;
};

TEST_F(OracleTest, HonestCandidateLivesThroughAllTrials) {
  const Judgement judgement = Judge({Honest});
  EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
  EXPECT_TRUE(judgement.loaded);
  EXPECT_TRUE(judgement.calibration);
  ASSERT_EQ(judgement.trials.size(), 9U);
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(judgement.trials[i].timed, i >= 5);
}

TEST_F(OracleTest, PublicSeedsFirstThenSecretOnesThatNeverRepeat) {
  const Judgement first = Judge({Honest});
  const Judgement second = Judge({Honest});
  std::set<uint64_t> seen;
  constexpr std::array<uint64_t, 5> kKnown{42, 123, 456, 789, 1337};
  for (const Judgement* judgement : {&first, &second}) {
    ASSERT_EQ(judgement->trials.size(), 9U);
    for (size_t i = 0; i < 5; ++i)
      EXPECT_EQ(judgement->trials[i].seed, kKnown.at(i));
    for (size_t i = 5; i < 9; ++i)
      EXPECT_TRUE(seen.insert(judgement->trials[i].seed).second);
  }
}

TEST_F(OracleTest, RandomReferenceAndCandidateStartFromTheSameState) {
  g_random = true;
  std::set<uint64_t> seeds;
  const Judgement with_it = Judge({[&](const Call& call) {
    seeds.insert(call.generator_seed);
    for (int64_t i = 0; i < kElements; ++i)
      call.output[i] = 2 * call.input[i] + NoiseOf(call.generator_seed);
    return CallResult{wire::CallStatus::kOk, "", 10, 0};
  }});
  const Judgement without = Judge({Honest});
  g_random = false;
  EXPECT_EQ(with_it.status, Status::kOk) << with_it.text;
  EXPECT_EQ(without.status, Status::kMismatch);
  EXPECT_EQ(seeds.size(), with_it.trials.size());
  for (const record::Trial& trial : with_it.trials)
    EXPECT_FALSE(seeds.contains(trial.seed));
}

TEST_F(OracleTest, OneWrongElementIsFoundAndNamed) {
  const Judgement judgement = Judge({[](const Call& call) {
    CallResult result = Honest(call);
    call.output[777] += 0.01F;
    return result;
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch && judgement.mismatch->worst);
  EXPECT_EQ(judgement.mismatch->wrong, 1);
  EXPECT_EQ(judgement.mismatch->worst->index.at(0), 777);
  EXPECT_EQ(judgement.mismatch->seed, 42U);
}

TEST_F(OracleTest, UnwrittenOutputIsNotTheLastOne) {
  const Judgement judgement = Judge({[](const Call& call) {
    if (call.number == 0) return Honest(call);
    return CallResult{wire::CallStatus::kOk, "", 10, 0};
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch);
  EXPECT_EQ(judgement.mismatch->unwritten, kElements);
  EXPECT_EQ(judgement.trials.size(), 2U);
}

TEST_F(OracleTest, ReplayedOutputIsWrong) {
  auto kept = std::make_shared<std::vector<float>>();
  const Judgement judgement = Judge({[kept](const Call& call) {
    if (kept->empty()) {
      const CallResult result = Honest(call);
      kept->assign(call.output, call.output + kElements);
      return result;
    }
    std::memcpy(call.output, kept->data(), kElements * sizeof(float));
    return CallResult{wire::CallStatus::kOk, "", 10, 0};
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  EXPECT_EQ(judgement.trials.size(), 2U);
}

TEST_F(OracleTest, ChangedInputIsFound) {
  const Judgement judgement = Judge({[](const Call& call) {
    CallResult result = Honest(call);
    call.input[kElements - 1] = 7;
    return result;
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch);
  EXPECT_EQ(judgement.mismatch->structure, "forward changed its input 0");
}

TEST_F(OracleTest, WritingNextToTheOutputIsTampering) {
  for (const int64_t place : {int64_t{-1}, kElements}) {
    const Judgement judgement = Judge({[place](const Call& call) {
      CallResult result = Honest(call);
      call.output[place] = 0;
      return result;
    }});
    EXPECT_EQ(judgement.status, Status::kTampering) << place;
  }
}

TEST_F(OracleTest, WritingAfterDoneIsNotAccepted) {
  Behaviour late{
      [](const Call&) { return CallResult{wire::CallStatus::kOk, "", 10, 0}; }};
  late.afterwards = [](const Call& call) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    Honest(call);
  };
  const Judgement judgement = Judge(late);
  EXPECT_TRUE(judgement.status == Status::kMismatch ||
              judgement.status == Status::kTampering);
}

TEST_F(OracleTest, FailureKeepsItsText) {
  const Judgement judgement = Judge({[](const Call&) {
    return CallResult{wire::CallStatus::kFailed, "no such kernel", 0, 0};
  }});
  EXPECT_EQ(judgement.status, Status::kCallFailed);
  EXPECT_EQ(judgement.text, "no such kernel");
}

TEST_F(OracleTest, HangingUpInACallIsGone) {
  Behaviour behaviour{[](const Call& call) {
    shutdown(call.socket, SHUT_RDWR);
    return CallResult();
  }};
  behaviour.answers = false;
  const Judgement judgement = Judge(behaviour);
  EXPECT_EQ(judgement.status, Status::kGone);
  EXPECT_EQ(judgement.text, "forward");
}

TEST_F(OracleTest, SilenceIsATimeout) {
  Behaviour behaviour{Honest};
  behaviour.answers = false;
  const Judgement judgement = Judge(behaviour);
  EXPECT_EQ(judgement.status, Status::kTimeout);
  EXPECT_EQ(judgement.text, "forward");
}

TEST_F(OracleTest, LyingAboutTimeIsOutsideTheBand) {
  policy_.call_seconds = 20;
  const Judgement judgement = Judge({[](const Call& call) {
    CallResult result = Honest(call);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return result;  // claims 10 us
  }});
  ASSERT_EQ(judgement.status, Status::kOk) << judgement.text;
  for (const record::Trial& trial : judgement.trials)
    EXPECT_FALSE(trial.timed && trial.in_band)
        << trial.claimed_us << " " << trial.certified_us;
}

TEST_F(OracleTest, BaselineOfEagerIsItsOwnTime) {
  const auto times = Baseline(record::BaselineMode::kEager);
  ASSERT_TRUE(times.time);
  EXPECT_EQ(times.time->median, 10);
  EXPECT_EQ(times.time->count, 4);
  EXPECT_FALSE(times.eager);
  EXPECT_EQ(times.tf32, "cudnn");
  EXPECT_EQ(times.reason, "");
}

TEST_F(OracleTest, CompiledBaselineIsPairedWithEagerAndCompared) {
  const auto times = Baseline(record::BaselineMode::kCompile);
  ASSERT_TRUE(times.time && times.eager);
  EXPECT_EQ(times.time->median, 5);
  EXPECT_EQ(times.eager->median, 10);
  EXPECT_EQ(times.compile_seconds, 1.5);
  EXPECT_NE(times.reason.find("1 of 1000 elements of output 0 differ"),
            std::string::npos)
      << times.reason;
}

TEST_F(OracleTest, BaselineThatDoesNotCompileSaysWhy) {
  const auto times = Baseline(record::BaselineMode::kMaxAutotune);
  EXPECT_FALSE(times.time);
  EXPECT_EQ(times.reason, "InductorError: no");
}

TEST_F(OracleTest, AuditSaysWhichWrongAnswersPass) {
  const record::Audit audit = AuditIt();
  EXPECT_EQ(OutcomesOf(audit),
            "right=survived shifted=killed short=killed none=not_applicable "
            "broken=failed ");
  EXPECT_EQ(audit.mutants.back().detail, "TypeError: no");
  // One element is off by 1: 1 / (1 + |expected|), expected in [0, 2).
  ASSERT_EQ(audit.Cheapest(), &audit.mutants[1]);
  EXPECT_GT(*audit.mutants[1].least_tolerance, 1.0 / 3);
  EXPECT_LE(*audit.mutants[1].least_tolerance, 1);
  EXPECT_FALSE(audit.mutants[2].least_tolerance);
  EXPECT_EQ(audit.honest_tolerance, 0);
  EXPECT_TRUE(audit.repeatable);
  EXPECT_TRUE(audit.finite);
  EXPECT_EQ(audit.InputBytes(), kElements * sizeof(float));
  EXPECT_EQ(audit.flops, 1000);
}

TEST_F(OracleTest, AuditWithAMeasuredToleranceComparesWithFloat64) {
  policy_.error_multiple = 8;
  const record::Audit audit = AuditIt();
  EXPECT_EQ(OutcomesOf(audit),
            "right=survived shifted=killed short=killed none=not_applicable "
            "broken=failed ");
  EXPECT_EQ(audit.honest_tolerance, 0);
}

TEST_F(OracleTest, TheNextCandidateIsJudgedAfterABadOne) {
  Judge({[](const Call& call) {
    shutdown(call.socket, SHUT_RDWR);
    return CallResult();
  }});
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
}

}  // namespace
}  // namespace kb::oracle
