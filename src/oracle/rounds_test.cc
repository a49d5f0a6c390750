#include "rounds.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "chain_fixture.h"

namespace kb::oracle {
namespace {

TEST_F(OracleTest, EveryRoundHasReadingsOfBothSides) {
  policy_.warm = false;
  const Judgement judgement = Judge({Honest});
  ASSERT_TRUE(judgement.ruler);
  const record::Ruler& ruler = *judgement.ruler;
  EXPECT_EQ(ruler.version, record::kRulerVersion);
  EXPECT_GE(ruler.calls, 1);
  EXPECT_TRUE(ruler.gated) << "on cpu there are no launches to hide";
  EXPECT_TRUE(ruler.copied) << "the reference has none of our memory here";
  EXPECT_FALSE(ruler.warm);
  EXPECT_EQ(ruler.tf32, "cudnn");
  EXPECT_GT(ruler.constant_us, 0);
  EXPECT_GT(ruler.control_us, 0);
  EXPECT_GT(ruler.first_us, 0);
  EXPECT_GT(ruler.alone_us, 0);
  EXPECT_EQ(ruler.disturbed, 0);
  EXPECT_EQ(ruler.input_bytes, kElements * sizeof(float));
  EXPECT_EQ(ruler.output_bytes, kElements * sizeof(float));
  EXPECT_EQ(ruler.weight_bytes, sizeof(float));
  EXPECT_EQ(ruler.ceilings, record::Ceilings()) << "cpu is not measured";
  int rounds = 0;
  for (const record::Trial& trial : judgement.trials) {
    if (!trial.timed) continue;
    ++rounds;
    EXPECT_TRUE(trial.counts);
    EXPECT_GT(trial.constant_us, 0);
    for (const double reading : {trial.reference_us, trial.reference_one_us,
                                 trial.candidate_us, trial.candidate_one_us})
      EXPECT_GT(reading, 0);
    EXPECT_EQ(trial.reference_wall_us, 0) << "on cpu the same";
    EXPECT_EQ(trial.candidate_wall_us, 0);
    EXPECT_EQ(trial.reference_chain_us > 0, ruler.calls > 1);
    EXPECT_EQ(trial.candidate_chain_us > 0, ruler.calls > 1);
  }
  EXPECT_EQ(rounds, 4);
}

// The reference's process opens the device once, for all candidates.
TEST_F(OracleTest, ATurnTellsWhatItsProcessesTook) {
  const record::Spent first = Judge({Honest}).spent;
  EXPECT_EQ(first.contexts, 2);
  EXPECT_GT(first.open_s, 0);
  EXPECT_GT(first.hold_s, 0);
  // One call of either side and none, in four rounds.
  EXPECT_GE(first.readings, 12);
  const record::Spent second = Judge({Honest}).spent;
  EXPECT_EQ(second.contexts, 1);
}

// As when somebody else keeps the processors: its chain blocks, or its outputs
// are not where the first process's were.
TEST_F(OracleTest, AFurtherProcessThatIsReadOtherwiseHasNoRounds) {
  record::Ruler plan = *Judge({Honest}).ruler;
  plan.copied = false;
  turn_.plan = plan;
  turn_.process = 3;
  RenewReference({Honest});
  track_ = record::Track::kPython;
  const Judgement judgement = Judge({Honest});
  EXPECT_EQ(judgement.status, Judgement::Status::kOk) << judgement.text;
  EXPECT_TRUE(std::ranges::none_of(judgement.trials, &record::Trial::timed));
  EXPECT_FALSE(judgement.trials.empty()) << "its answers were compared";
  for (const record::Trial& trial : judgement.trials)
    EXPECT_EQ(trial.process, 3) << "or further ones are started for ever";
}

// On cpu a slope over few calls hides what a call takes, and who is slow when
// the pilot flies would have few.
TEST_F(OracleTest, WhoIsSlowBeforeTheRoundsHasNoShorterChains) {
  constexpr size_t kPilot = 4;
  const Behaviour slow_pilot{[](const Call& call) {
    if (call.calls == kPilot)
      std::this_thread::sleep_for(std::chrono::milliseconds(13));
    return Honest(call);
  }};
  const Judgement judgement = Judge(slow_pilot);
  EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
  ASSERT_TRUE(judgement.ruler);
  record::Ruler plan = *judgement.ruler;
  EXPECT_GT(plan.calls, 2);
  int64_t timed = 0;
  for (const record::Trial& trial : judgement.trials)
    timed += trial.timed ? 1 : 0;
  EXPECT_GE(timed, policy_.min_timed_trials);
  EXPECT_LE(timed, policy_.max_timed_trials);

  // Nor are other processes read with chains of a first one that was slow.
  plan.calls = 2;
  turn_.plan = plan;
  turn_.process = 1;
  RenewReference({Honest});
  const Judgement other = Judge(slow_pilot);
  EXPECT_EQ(other.status, Status::kOk) << other.text;
  EXPECT_TRUE(std::ranges::none_of(other.trials, &record::Trial::timed));
}

// The public trials before have compared them.
TEST_F(OracleTest, TimedAnswersOfWhatTorchCompiledAreNotRead) {
  Behaviour in_pool{Honest};
  in_pool.place = 0;
  const auto judge = [&](bool compiled) {
    turn_.compiled = compiled;
    track_ = record::Track::kPython;
    RenewReference(in_pool);
    return Judge({[&](const Call& call) {
      return call.number < policy_.public_trials ? Honest(call) : CallResult();
    }});
  };
  EXPECT_EQ(judge(false).status, Status::kMismatch);
  const Judgement judgement = judge(true);
  EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
  ASSERT_TRUE(judgement.ruler);
  EXPECT_FALSE(judgement.ruler->copied);
  EXPECT_EQ(judgement.ruler->copy_us, 0);
  in_pool.place = wire::kInSlot;
  EXPECT_EQ(judge(true).status, Status::kMismatch)
      << "where both are copied, both are read";
}

// A baseline: in the public trials, in a timed one, and in what is no value.
TEST_F(OracleTest, WhatMayDifferIsTimedAndItsFirstMismatchTold) {
  turn_.baseline = true;
  const auto right_for = [](int64_t calls) {
    return Behaviour{[calls](const Call& call) {
      const CallResult result = Honest(call);
      if (call.number >= calls) call.output[3] += 1;
      return result;
    }};
  };
  for (const int64_t calls : {int64_t{0}, policy_.public_trials + 4}) {
    const Judgement judgement = Judge(right_for(calls));
    EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
    ASSERT_TRUE(judgement.mismatch) << calls;
    EXPECT_EQ(judgement.mismatch->seed == judgement.trials[0].seed, calls == 0);
    EXPECT_TRUE(judgement.trials.back().timed);
  }
  EXPECT_FALSE(Judge({Honest}).mismatch) << "it does not differ";
  EXPECT_EQ(Judge({[](const Call& call) {
              const_cast<float*>(call.input)[0] = 7;
              return Honest(call);
            }}).status,
            Status::kMismatch);
  turn_.baseline = false;
  EXPECT_EQ(Judge(right_for(0)).status, Status::kMismatch) << "the next one";
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

TEST_F(OracleTest, OneIsStoppedWhileTheOtherIsRead) {
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
  EXPECT_EQ(holds_.front(), "begin");
  ASSERT_EQ(std::ranges::count(holds_, "confine"), 1);
  const auto confined = std::ranges::find(holds_, "confine");
  EXPECT_EQ(confined - holds_.begin(), 1 + 2 * policy_.public_trials)
      << "before the first call that is timed, after all others";
  holds_.erase(confined);
  for (size_t i = 1; i + 1 < holds_.size(); ++i)
    EXPECT_EQ(holds_[i], i % 2 == 1 ? "suspend" : "resume") << i;
  ASSERT_FALSE(reference_holds_.empty());
  for (size_t i = 0; i + 1 < reference_holds_.size(); ++i)
    EXPECT_TRUE(reference_holds_[i] == "resume" ||
                reference_holds_[i + 1] == "resume")
        << i;
  EXPECT_EQ(reference_holds_.back(), "resume") << "for the next candidate";
}

// It need not be kept for the reference's sake any more.
TEST_F(ChainTest, AFailedCandidateIsNotEnded) {
  JudgeChained({[](const Call& call) {
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

}  // namespace
}  // namespace kb::oracle
