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
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <thread>

#include "candidate/serve.h"
#include "record/audit.h"
#include "record/evaluation.h"
#include "wire/channel.h"

// The oracle, the candidate's jail and the reference's process, each on a
// thread of its own, over the real protocol, on the cpu device. The reference
// doubles its input; the factor is its weight. No test asks how long anything
// takes.

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

// Done in the oracle's own forward, which is between the end of a chain and the
// look at its outputs.
class InForward {
 public:
  void Set(std::function<void()> deed) {
    const std::lock_guard lock(mutex_);
    deed_ = std::move(deed);
  }
  void Do() {
    const std::lock_guard lock(mutex_);
    if (deed_) deed_();
  }

 private:
  std::mutex mutex_;
  std::function<void()> deed_;
};
InForward g_in_forward;

class Doubling : public Reference {
 public:
  base::Result<record::ProblemFacts> Open(const OpenRequest&) override {
    record::ProblemFacts facts;
    facts.inputs.push_back({record::Value::Tensor{Spec()}});
    facts.outputs.push_back(Spec());
    facts.state.push_back({"factor", WeightSpec()});
    return facts;
  }
  Nature nature() const override { return {g_random, 0, "cudnn"}; }
  base::Result<std::vector<TensorView>> State() override {
    return std::vector<TensorView>{
        {WeightSpec(), reinterpret_cast<std::byte*>(weight_.data())}};
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
    g_in_forward.Do();
    const float noise = g_random ? NoiseOf(generator_seed) : 0;
    for (size_t i = 0; i < input_.size(); ++i)
      output_[i] = weight_[0] * input_[i] + noise;
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
  static record::TensorSpec WeightSpec() {
    return {record::DType::kFloat32, {1}};
  }
  static std::vector<TensorView> View(std::vector<float>* values) {
    return {{Spec(), reinterpret_cast<std::byte*>(values->data())}};
  }
  std::vector<float> weight_{2};
  std::vector<float> input_ = std::vector<float>(kElements);
  std::vector<float> output_ = std::vector<float>(kElements);
  std::vector<float> mutant_;
  std::array<std::vector<double>, 2> exact_;
  size_t turn_ = 0;
};

// One call of a chain as a body sees it.
struct Call {
  const float* input = nullptr;
  float* output = nullptr;
  float* weight = nullptr;
  int number = 0;    // 0, 1, ... since loading
  size_t index = 0;  // in its chain
  size_t calls = 1;  // of the chain
  uint64_t generator_seed = 0;
  int socket = -1;
  bool IsLast() const { return index + 1 == calls; }
};

// What a body does in a call. One that does not answer returns from it when the
// judgement is over.
struct Behaviour {
  std::function<CallResult(const Call&)> forward;
  bool answers = true;
  CallResult load = {};
  uint64_t place = wire::kInSlot;  // where it says that outputs are
};

CallResult Honest(const Call& call) {
  for (int64_t i = 0; i < kElements; ++i)
    call.output[i] = *call.weight * call.input[i];
  return {};
}

// What the threads of one judgement share.
struct Stage {
  std::atomic<bool> over = false;  // the judgement has come
  // As the oracle asked for it.
  std::atomic<bool> candidate_runs = true;
  std::atomic<bool> reference_runs = true;
  std::atomic<int> reference_calls = 0;
  std::atomic<int> candidate_calls = 0;
  std::atomic<int> calls_out_of_turn = 0;
};

class ScriptedBody : public candidate::Body {
 public:
  ScriptedBody(Behaviour behaviour, bool is_candidate, int socket,
               std::shared_ptr<Stage> stage)
      : behaviour_(std::move(behaviour)),
        is_candidate_(is_candidate),
        socket_(socket),
        stage_(std::move(stage)) {}

  CallResult Load(const candidate::Memory& memory) override {
    memory_ = &memory;
    return behaviour_.load;
  }
  CallResult Prepare(const wire::Chain& chain) override {
    chain_ = chain;
    return {};
  }
  void* stream() const override { return nullptr; }
  CallResult Enqueue(std::span<uint64_t> places) override {
    EXPECT_EQ(places.size(), chain_.calls);
    std::ranges::fill(places, behaviour_.place);
    CallResult result;
    for (size_t slot = 0; slot < chain_.calls; ++slot) {
      ++(is_candidate_ ? stage_->candidate_calls : stage_->reference_calls);
      if (stage_->candidate_runs != is_candidate_ ||
          (!is_candidate_ && !stage_->reference_runs))
        ++stage_->calls_out_of_turn;
      result = behaviour_.forward(CallIn(slot));
      ++number_;
      if (result.status != wire::CallStatus::kOk) break;
    }
    if (!behaviour_.answers) stage_->over.wait(false);
    return result;
  }

 private:
  oracle::Call CallIn(size_t slot) const {
    return {reinterpret_cast<float*>(memory_->input(slot, 0)),
            reinterpret_cast<float*>(memory_->output(slot, 0)),
            reinterpret_cast<float*>(memory_->state(0)),
            number_,
            slot,
            chain_.calls,
            chain_.generator_seeds.at(slot),
            socket_};
  }

  Behaviour behaviour_;
  bool is_candidate_;
  int socket_;
  std::shared_ptr<Stage> stage_;
  const candidate::Memory* memory_ = nullptr;
  wire::Chain chain_;
  int number_ = 0;
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
    policy_.warm = true;  // emptying the cache for every reading takes long
    RenewReference({Honest});
  }
  void TearDown() override {
    channel_.reset();
    thread_.join();
    reference_socket_ = os::Fd();
    for (std::thread& reference : references_) reference.join();
    g_random = false;
    g_in_forward.Set(nullptr);
  }

  wire::Message Receive() {
    auto message = channel_->Receive(std::chrono::seconds(120));
    EXPECT_TRUE(message && *message);
    return message && *message ? std::move(**message) : wire::Message();
  }

  // Starts a process that serves chains; the oracle's end of its socket.
  os::Fd Start(const Behaviour& behaviour, bool is_candidate,
               std::thread* thread) {
    auto [ours, theirs] = Sockets();
    *thread = std::thread(
        [behaviour, is_candidate, stage = stage_, socket = theirs.Release()] {
          candidate::Serve(socket, "cpu", [&](device::Device*) {
            return std::make_unique<ScriptedBody>(behaviour, is_candidate,
                                                  socket, stage);
          });
        });
    return std::move(ours);
  }

  // The next judgement gets a new process of the reference.
  void RenewReference(const Behaviour& behaviour) {
    reference_socket_ = Start(behaviour, false, &references_.emplace_back());
  }

  // Asks for a judgement, and answers holds until it comes.
  wire::Message Ask(const Behaviour& behaviour) {
    holds_.clear();
    reference_holds_.clear();
    progress_.clear();
    stage_->over = false;
    stage_->candidate_runs = true;
    stage_->reference_runs = true;
    std::thread jail;
    os::Fd candidate = Start(behaviour, true, &jail);
    std::vector<int> sockets{candidate.get()};
    if (reference_socket_.valid()) sockets.push_back(reference_socket_.get());
    const base::Json request{{"track", "native"},
                             {"policy", record::ToJson(policy_)},
                             {"turn", record::ToJson(record::Turn{})}};
    EXPECT_TRUE(
        channel_->Send(MessageType::kJudge, base::DumpJson(request), sockets));
    candidate = os::Fd();
    reference_socket_ = os::Fd();
    wire::Message answer = Receive();
    while (Serves(answer)) answer = Receive();
    stage_->over = true;
    stage_->over.notify_all();
    jail.join();
    return answer;
  }

  // Whether this was not the answer yet.
  bool Serves(const wire::Message& message) {
    if (message.type != MessageType::kProgress &&
        message.type != MessageType::kHold)
      return false;
    const auto body = base::ParseJson(message.payload, "a message");
    EXPECT_TRUE(body);
    if (message.type == MessageType::kProgress) {
      progress_.emplace_back(body->value("done", int64_t{0}),
                             body->value("of", int64_t{0}));
      return true;
    }
    const bool candidate = body->value("whom", "") == "candidate";
    auto& holds = candidate ? holds_ : reference_holds_;
    holds.push_back(body->value("do", ""));
    (candidate ? stage_->candidate_runs : stage_->reference_runs) =
        holds.back() == "resume";
    EXPECT_TRUE(channel_->Send(MessageType::kHeld, "{}"));
    return true;
  }

  Judgement Judge(const Behaviour& behaviour) {
    const wire::Message answer = Ask(behaviour);
    EXPECT_EQ(answer.type, MessageType::kJudged) << answer.payload;
    const auto json = base::ParseJson(answer.payload, "the judgement");
    auto judgement = record::JudgementFromJson(*json);
    EXPECT_TRUE(judgement);
    return judgement.value_or(Judgement());
  }

  // What the oracle says of its own failure.
  std::string ErrorOf(const Behaviour& behaviour) {
    const wire::Message answer = Ask(behaviour);
    EXPECT_EQ(answer.type, MessageType::kFailed) << answer.payload;
    const auto json = base::ParseJson(answer.payload, "the failure");
    return json->value("error", "");
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
  static std::string OutcomesOf(const record::Audit& audit) {
    std::string outcomes;
    for (const record::MutantResult& mutant : audit.mutants)
      outcomes += mutant.name + "=" + record::OutcomeName(mutant.outcome) + " ";
    return outcomes;
  }

  record::Policy policy_;
  std::optional<wire::Channel> channel_;
  std::thread thread_;
  std::shared_ptr<Stage> stage_ = std::make_shared<Stage>();
  os::Fd reference_socket_;  // of a process that the oracle has not got yet
  std::vector<std::thread> references_;
  // Of the last judgement: what was asked for.
  std::vector<std::string> holds_;
  std::vector<std::string> reference_holds_;
  std::vector<std::pair<int64_t, int64_t>> progress_;  // {done, of}
};

TEST_F(OracleTest, HonestCandidateLivesThroughAllTrials) {
  const Judgement judgement = Judge({Honest});
  EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
  EXPECT_TRUE(judgement.loaded);
  ASSERT_EQ(judgement.trials.size(), 9U);
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(judgement.trials[i].timed, i >= 5);
}

TEST_F(OracleTest, ProgressCountsEveryTrial) {
  Judge({Honest});
  ASSERT_EQ(progress_.size(), 9U);
  for (size_t i = 0; i < 9; ++i)
    EXPECT_EQ(progress_[i],
              (std::pair<int64_t, int64_t>(static_cast<int64_t>(i) + 1, 9)));
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
  int calls = 0;
  const Judgement with_it = Judge({[&](const Call& call) {
    ++calls;
    seeds.insert(call.generator_seed);
    for (int64_t i = 0; i < kElements; ++i)
      call.output[i] = 2 * call.input[i] + NoiseOf(call.generator_seed);
    return CallResult();
  }});
  const Judgement without = Judge({Honest});
  EXPECT_EQ(with_it.status, Status::kOk) << with_it.text;
  EXPECT_EQ(without.status, Status::kMismatch);
  EXPECT_EQ(seeds.size(), static_cast<size_t>(calls)) << "one for each call";
  for (const record::Trial& trial : with_it.trials)
    EXPECT_FALSE(seeds.contains(trial.seed));
}

TEST_F(OracleTest, WhereNothingIsRandomNoStateIsTold) {
  std::set<uint64_t> seeds;
  Judge({[&](const Call& call) {
    seeds.insert(call.generator_seed);
    return Honest(call);
  }});
  EXPECT_EQ(seeds, (std::set<uint64_t>{0}));
}

// --- What is compared ---

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
    return call.number == 0 ? Honest(call) : CallResult();
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
    return CallResult();
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  EXPECT_EQ(judgement.trials.size(), 2U);
}

TEST_F(OracleTest, EveryCallOfAChainHasInputsOfItsOwn) {
  std::set<std::vector<float>> inputs;
  size_t calls = 0;
  size_t longest = 0;
  const Judgement judgement = Judge({[&](const Call& call) {
    ++calls;
    longest = std::max(longest, call.calls);
    inputs.emplace(call.input, call.input + kElements);
    return Honest(call);
  }});
  EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
  EXPECT_GT(longest, 1U) << "no chain was ever read";
  EXPECT_EQ(inputs.size(), calls);
}

TEST_F(OracleTest, EveryCallOfAChainIsCompared) {
  for (const bool first : {false, true}) {
    const Judgement judgement = Judge({[first](const Call& call) {
      CallResult result = Honest(call);
      const bool wrong =
          call.calls > 1 && (first ? call.index == 0 : call.IsLast());
      if (wrong) call.output[500] += 0.01F;
      return result;
    }});
    EXPECT_EQ(judgement.status, Status::kMismatch);
    ASSERT_TRUE(judgement.mismatch) << judgement.text;
    EXPECT_EQ(judgement.mismatch->wrong, 1);
    EXPECT_EQ(judgement.trials.size(), 5U) << "of a chain";
  }
}

TEST_F(OracleTest, ComputingTheLastCallOfAChainOnlyIsIncorrect) {
  const Judgement judgement = Judge({[](const Call& call) {
    return call.IsLast() ? Honest(call) : CallResult();
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch);
  EXPECT_EQ(judgement.mismatch->unwritten, kElements);
}

TEST_F(OracleTest, OneAnswerForAllCallsOfAChainIsIncorrect) {
  auto kept = std::make_shared<std::vector<float>>();
  const Judgement judgement = Judge({[kept](const Call& call) {
    if (call.index == 0) {
      const CallResult result = Honest(call);
      kept->assign(call.output, call.output + kElements);
      return result;
    }
    std::memcpy(call.output, kept->data(), kElements * sizeof(float));
    return CallResult();
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
}

TEST_F(OracleTest, APlaceOutsideThePoolIsTheSlot) {
  Behaviour behaviour{Honest};
  behaviour.place = 4096;  // of no pool
  EXPECT_EQ(Judge(behaviour).status, Status::kOk);
}

// --- What is forbidden ---

TEST_F(OracleTest, ChangedInputIsFound) {
  const Judgement judgement = Judge({[](const Call& call) {
    CallResult result = Honest(call);
    const_cast<float*>(call.input)[kElements - 1] = 7;
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

// Right when it is looked at, but not when it was reported done.
TEST_F(OracleTest, WritingAfterDoneIsTampering) {
  for (const bool in_a_chain : {false, true}) {
    std::mutex mutex;
    std::vector<Call> late;
    g_in_forward.Set([&] {
      const std::lock_guard lock(mutex);
      for (const Call& call : late) Honest(call);
      late.clear();
    });
    const Judgement judgement = Judge({[&](const Call& call) {
      if (in_a_chain && (call.calls == 1 || !call.IsLast()))
        return Honest(call);
      const std::lock_guard lock(mutex);
      late.push_back(call);
      return CallResult();
    }});
    EXPECT_EQ(judgement.status, Status::kTampering);
    EXPECT_NE(judgement.text.find("still being written"), std::string::npos)
        << judgement.text;
    EXPECT_EQ(judgement.trials.size(), in_a_chain ? 5U : 1U);
    g_in_forward.Set(nullptr);
  }
}

TEST_F(OracleTest, OverwritingTheWeightsIsTampering) {
  std::atomic<int> calls = 0;
  const Judgement judgement = Judge({[&](const Call& call) {
    const CallResult result = Honest(call);
    if (++calls == 20) *call.weight = 2.0001F;  // within the tolerance
    return result;
  }});
  ASSERT_GT(calls, 20);
  EXPECT_EQ(judgement.status, Status::kTampering);
  EXPECT_NE(judgement.text.find("weights"), std::string::npos)
      << judgement.text;
  EXPECT_EQ(Judge({Honest}).status, Status::kOk) << "the next has fresh ones";
}

// --- How candidates fail ---

TEST_F(OracleTest, FailureKeepsItsText) {
  const Judgement judgement = Judge({[](const Call&) {
    return CallResult{wire::CallStatus::kFailed, "no such kernel"};
  }});
  EXPECT_EQ(judgement.status, Status::kCallFailed);
  EXPECT_EQ(judgement.text, "no such kernel");
  EXPECT_TRUE(judgement.loaded);
}

TEST_F(OracleTest, FailureInTheMiddleOfAChainIsOne) {
  const Judgement judgement = Judge({[](const Call& call) {
    if (call.index == 1)
      return CallResult{wire::CallStatus::kFailed, "not twice"};
    return Honest(call);
  }});
  EXPECT_EQ(judgement.status, Status::kCallFailed);
  EXPECT_EQ(judgement.text, "not twice");
}

TEST_F(OracleTest, FailureSaysOfWhichKind) {
  const Judgement memory = Judge({[](const Call&) {
    return CallResult{wire::CallStatus::kOutOfMemory, "too much"};
  }});
  EXPECT_EQ(memory.status, Status::kOutOfMemory);
  const Judgement structure = Judge({[](const Call&) {
    return CallResult{wire::CallStatus::kStructure, "two outputs"};
  }});
  EXPECT_EQ(structure.status, Status::kMismatch);
  ASSERT_TRUE(structure.mismatch);
  EXPECT_EQ(structure.mismatch->structure, "two outputs");
}

TEST_F(OracleTest, WhatDoesNotLoadSaysWhy) {
  Behaviour behaviour{Honest};
  behaviour.load = {wire::CallStatus::kFailed, "no symbol"};
  const Judgement judgement = Judge(behaviour);
  EXPECT_EQ(judgement.status, Status::kLoadFailed);
  EXPECT_EQ(judgement.text, "no symbol");
  EXPECT_FALSE(judgement.loaded);
}

TEST_F(OracleTest, RemarksOfAGoodCandidateAreKeptOnce) {
  const Judgement judgement = Judge({[](const Call& call) {
    Honest(call);
    return CallResult{wire::CallStatus::kOk, "a remark"};
  }});
  EXPECT_EQ(judgement.status, Status::kOk);
  EXPECT_EQ(std::ranges::count(judgement.notes, "a remark"), 1);
}

// Says nothing more from its first call on.
Behaviour HangingUp() {
  Behaviour behaviour{[](const Call& call) {
    shutdown(call.socket, SHUT_RDWR);
    return CallResult();
  }};
  behaviour.answers = false;
  return behaviour;
}

TEST_F(OracleTest, HangingUpInACallIsGone) {
  const Judgement judgement = Judge(HangingUp());
  EXPECT_EQ(judgement.status, Status::kGone);
  EXPECT_EQ(judgement.text, "forward");
}

TEST_F(OracleTest, SilenceIsATimeout) {
  policy_.call_seconds = 0.3;
  Behaviour behaviour{Honest};
  behaviour.answers = false;
  const Judgement judgement = Judge(behaviour);
  EXPECT_EQ(judgement.status, Status::kTimeout);
  EXPECT_EQ(judgement.text, "forward");
}

TEST_F(OracleTest, TheNextCandidateIsJudgedAfterABadOne) {
  Judge(HangingUp());
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
}

// --- The ruler ---

TEST_F(OracleTest, EveryRoundHasReadingsOfBothSides) {
  policy_.warm = false;
  const Judgement judgement = Judge({Honest});
  ASSERT_TRUE(judgement.ruler);
  const record::Ruler& ruler = *judgement.ruler;
  EXPECT_EQ(ruler.version, record::kRulerVersion);
  EXPECT_GE(ruler.calls, 1);
  EXPECT_TRUE(ruler.gated) << "on cpu there are no launches to hide";
  EXPECT_TRUE(ruler.copied) << "on cpu on both sides";
  EXPECT_FALSE(ruler.warm);
  EXPECT_EQ(ruler.tf32, "cudnn");
  EXPECT_GT(ruler.constant_us, 0);
  EXPECT_GT(ruler.control_us, 0);
  EXPECT_GT(ruler.first_us, 0);
  EXPECT_GT(ruler.alone_us, 0);
  EXPECT_EQ(ruler.disturbed, 0);
  int rounds = 0;
  for (const record::Trial& trial : judgement.trials) {
    if (!trial.timed) continue;
    ++rounds;
    EXPECT_TRUE(trial.counts);
    EXPECT_GT(trial.constant_us, 0);
    for (const double reading : {trial.reference_us, trial.reference_one_us,
                                 trial.candidate_us, trial.candidate_one_us})
      EXPECT_GT(reading, 0);
    // In the first rounds, of both sides.
    EXPECT_EQ(trial.reference_wall_us > 0, trial.candidate_wall_us > 0);
    if (rounds == 1) {
      EXPECT_GT(trial.reference_wall_us, 0);
    }
    EXPECT_EQ(trial.reference_chain_us > 0, ruler.calls > 1);
    EXPECT_EQ(trial.candidate_chain_us > 0, ruler.calls > 1);
  }
  EXPECT_EQ(rounds, 4);
}

TEST_F(OracleTest, WarmIsWrittenIntoTheResult) {
  const Judgement judgement = Judge({Honest});
  ASSERT_TRUE(judgement.ruler);
  EXPECT_TRUE(judgement.ruler->warm);
}

TEST_F(OracleTest, BothSidesMakeChainsOfTheSameLengths) {
  constexpr size_t kPilot = 4;  // not flown with a side that seems slow
  std::set<size_t> of_reference{kPilot};
  std::set<size_t> of_candidate{kPilot};
  RenewReference({[&](const Call& call) {
    of_reference.insert(call.calls);
    return Honest(call);
  }});
  const Judgement judgement = Judge({[&](const Call& call) {
    of_candidate.insert(call.calls);
    return Honest(call);
  }});
  // Ends the reference's process.
  channel_.reset();
  references_.back().join();
  references_.pop_back();
  ASSERT_TRUE(judgement.ruler);
  EXPECT_EQ(of_reference, of_candidate);
  EXPECT_TRUE(of_reference.contains(1));
  EXPECT_TRUE(
      of_reference.contains(static_cast<size_t>(judgement.ruler->calls)));
}

TEST_F(OracleTest, TheCandidateIsStoppedWhileTheReferenceIsRead) {
  const Judgement judgement = Judge({Honest});
  EXPECT_EQ(judgement.status, Status::kOk);
  EXPECT_GT(stage_->reference_calls, 0);
  EXPECT_EQ(stage_->calls_out_of_turn, 0);
}

TEST_F(OracleTest, HoldsComeInTurnAndTheEndComesLast) {
  Judge({Honest});
  ASSERT_FALSE(holds_.empty());
  EXPECT_EQ(std::ranges::count(holds_, "end"), 1);
  EXPECT_EQ(holds_.back(), "end");
  for (size_t i = 0; i + 1 < holds_.size(); ++i)
    EXPECT_EQ(holds_[i], i % 2 == 0 ? "suspend" : "resume") << i;
  ASSERT_FALSE(reference_holds_.empty());
  for (size_t i = 0; i < reference_holds_.size(); ++i)
    EXPECT_EQ(reference_holds_[i], i % 2 == 0 ? "suspend" : "resume") << i;
  EXPECT_EQ(reference_holds_.back(), "resume") << "for the next candidate";
}

// It need not be kept for the reference's sake any more.
TEST_F(OracleTest, AFailedCandidateIsNotEnded) {
  Judge({[](const Call& call) {
    return call.calls > 1 ? CallResult() : Honest(call);
  }});
  EXPECT_EQ(std::ranges::count(holds_, "end"), 0);
}

TEST_F(OracleTest, WithoutTimedTrialsNoReferenceIsNeeded) {
  policy_.min_timed_trials = policy_.max_timed_trials = 0;
  reference_socket_ = os::Fd();
  const Judgement judgement = Judge({Honest});
  EXPECT_EQ(judgement.status, Status::kOk);
  EXPECT_EQ(judgement.trials.size(), 5U);
  EXPECT_FALSE(judgement.ruler);
  EXPECT_EQ(std::ranges::count(holds_, "end"), 0);
}

TEST_F(OracleTest, TimingWithoutAReferenceIsOurFailure) {
  reference_socket_ = os::Fd();
  EXPECT_NE(ErrorOf({Honest}).find("no process to time the reference"),
            std::string::npos);
}

TEST_F(OracleTest, OneProcessOfTheReferenceServesAllCandidates) {
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
  const int calls = stage_->reference_calls;
  ASSERT_FALSE(reference_socket_.valid());
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
  EXPECT_GT(stage_->reference_calls, calls);
}

// Nobody blames the candidate.
TEST_F(OracleTest, AReferenceProcessThatDiesIsOurFailure) {
  RenewReference({[](const Call& call) {
    if (call.number < 2) return Honest(call);
    shutdown(call.socket, SHUT_RDWR);
    return CallResult{wire::CallStatus::kFailed, "dying"};
  }});
  EXPECT_NE(ErrorOf({Honest}).find("the reference's timing process"),
            std::string::npos);
  RenewReference({Honest});
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
}

TEST_F(OracleTest, AReferenceProcessThatDoesNotLoadIsOurFailure) {
  Behaviour broken{Honest};
  broken.load = {wire::CallStatus::kFailed, "no torch"};
  RenewReference(broken);
  const std::string error = ErrorOf({Honest});
  EXPECT_NE(error.find("the reference's timing process"), std::string::npos);
  EXPECT_NE(error.find("no torch"), std::string::npos) << error;
}

// --- Audits ---

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

}  // namespace
}  // namespace kb::oracle
