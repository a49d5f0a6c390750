#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "oracle/serve.h"
#include "record/evaluation.h"
#include "scripted_body.h"
#include "wire/channel.h"

namespace kb::oracle {

using record::Judgement;
using wire::MessageType;
using Status = record::Judgement::Status;

// The oracle, the candidate's jail and the reference's process, each on a
// thread of its own, over the real protocol, on the cpu device. No test asks
// how long anything takes.
class OracleTest : public testing::Test {
 protected:
  void SetUp() override {
    auto [ours, theirs] = Sockets();
    channel_.emplace(std::move(ours));
    thread_ = std::thread([socket = theirs.Release()] {
      oracle::Serve(socket, "cpu", "none", [](device::Device*) {
        return std::make_unique<Doubling>();
      });
    });
    EXPECT_EQ(Receive().type, MessageType::kHello);
    const base::Json open = base::Json::parse(
        R"({"id": "level1/1", "source": "", "reference": "Model",
            "precision": "fp32", "precision_rule": "as_reference", "redraw_flat_parameters": false,
            "redraw_seed": 0, "cpu_seeds": [], "mixed_inputs": false, "own_weights": false})");
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
          if (!behaviour.starts) {
            pollfd setup{socket, POLLIN, 0};
            poll(&setup, 1, -1);
            return os::Fd(socket).Close();
          }
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
    Prepare(&candidate);
    SendJudge();
    wire::Message answer = Serve();
    stage_->over = true;
    stage_->over.notify_all();
    jail.join();
    return answer;
  }

  // Sends the socket, and a new reference's before it, and closes them here.
  void Prepare(os::Fd* candidate) {
    const bool renewed = reference_socket_.valid();
    std::vector<int> sockets;
    if (renewed) sockets.push_back(reference_socket_.get());
    sockets.push_back(candidate->get());
    const base::Json request{{"process", turn_.process},
                             {"track", record::TrackName(track_)},
                             {"policy", record::ToJson(policy_)},
                             {"reference", renewed}};
    EXPECT_TRUE(channel_->Send(MessageType::kPrepare, base::DumpJson(request),
                               sockets));
    reference_socket_.Close();
    candidate->Close();
    EXPECT_EQ(Receive().type, MessageType::kPrepared);
  }

  void SendJudge() {
    const base::Json request{{"policy", record::ToJson(policy_)},
                             {"turn", record::ToJson(turn_)}};
    EXPECT_TRUE(channel_->Send(MessageType::kJudge, base::DumpJson(request)));
  }

  // What comes after holds and progress.
  wire::Message Serve() {
    wire::Message answer = Receive();
    while (Serves(answer)) answer = Receive();
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
    if (holds.back() == "begin")
      stage_->loads_at_begin = stage_->loads.load();
    else
      (candidate ? stage_->candidate_runs : stage_->reference_runs) =
          holds.back() == "resume";
    EXPECT_TRUE(channel_->Send(MessageType::kHeld, "{}"));
    return true;
  }

  Judgement Judge(const Behaviour& behaviour) {
    return JudgementOf(Ask(behaviour));
  }

  // Of processes that are prepared.
  Judgement JudgeTurn() {
    SendJudge();
    return JudgementOf(Serve());
  }

  static Judgement JudgementOf(const wire::Message& answer) {
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

  record::Policy policy_;
  record::Turn turn_;
  record::Track track_ = record::Track::kNative;
  std::optional<wire::Channel> channel_;
  std::thread thread_;
  std::shared_ptr<Stage> stage_ = std::make_shared<Stage>();
  os::Fd reference_socket_;  // of a process that the oracle has not got yet
  std::vector<std::thread> references_;
  std::vector<std::string> holds_, reference_holds_;   // of the last judgement
  std::vector<std::pair<int64_t, int64_t>> progress_;  // {done, of}
};

}  // namespace kb::oracle
