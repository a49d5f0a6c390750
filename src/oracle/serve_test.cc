#include "oracle/serve.h"

#include <algorithm>
#include <set>

#include "chain_fixture.h"

namespace kb::oracle {
namespace {

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

// --- Inputs of other distributions ---

TEST_F(OracleTest, EachDistributionIsATrialWithASecretSeedOfItsOwn) {
  policy_.error_multiple = 8;
  policy_.distributions = true;
  const Judgement judgement = Judge({Honest});
  EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
  std::set<std::string> names;
  std::set<uint64_t> seeds;
  for (const record::Trial& trial : judgement.trials) {
    if (trial.inputs.empty()) continue;
    names.insert(trial.inputs);
    seeds.insert(trial.seed);
    EXPECT_FALSE(trial.timed);
  }
  // One row, all of which is positive: neither repeated nor positive.
  EXPECT_EQ(names, (std::set<std::string>{"long_tail", "large", "negative",
                                          "near_zero"}));
  EXPECT_EQ(seeds.size(), 2 * names.size()) << "before the rounds, and in them";
  ASSERT_EQ(judgement.distributions.size(), names.size());
  for (const auto& tried : judgement.distributions)
    EXPECT_EQ(tried.outcome, record::Outside::Outcome::kRight) << tried.name;
  EXPECT_LT(judgement.tolerance.atol, 1e-5) << "that of the policy's inputs";
}

CallResult Zeros(const Call& call) {
  std::fill_n(call.output, kElements, 0.0F);
  return CallResult();
}

TEST_F(OracleTest, WhoIsWrongOnWhatTheProblemDrawsAloneIsFound) {
  const Behaviour spares_published{[](const Call& call) {
    bool published = true;
    for (int64_t i = 0; i < kElements; ++i)
      published = published && call.input[i] >= 0 && call.input[i] < 1;
    if (!published) return Honest(call);
    return Zeros(call);
  }};
  policy_.error_multiple = 8;
  policy_.inputs = record::InputStyle::kMixed;
  EXPECT_EQ(Judge(spares_published).status, Status::kOk);
  policy_.distributions = true;
  const Judgement judgement = Judge(spares_published);
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch);
  EXPECT_EQ(judgement.mismatch->inputs, "as_given");
}

TEST_F(OracleTest, WhereNothingIsTimedSecretInputsHaveTrialsOfTheirOwn) {
  const std::vector<uint64_t> known = record::PublicSeeds(policy_);
  std::set<float> firsts;
  for (const uint64_t seed : known)
    firsts.insert(
        *reinterpret_cast<const float*>(Doubling().Draw(seed)->front().data));
  const Behaviour remembers{[&](const Call& call) {
    if (firsts.contains(call.input[0])) return Honest(call);
    return Zeros(call);
  }};
  policy_.min_timed_trials = policy_.max_timed_trials = 0;
  EXPECT_EQ(Judge(remembers).status, Status::kOk) << "as a baseline is";
  turn_.untimed = true;
  EXPECT_EQ(Judge(remembers).status, Status::kMismatch);
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
}

TEST_F(OracleTest, WhoIsRightOnUsualInputsOnlyIsToldOnWhichItIsWrong) {
  const Behaviour forgets_negative{[](const Call& call) {
    for (int64_t i = 0; i < kElements; ++i)
      call.output[i] = std::abs(*call.weight * call.input[i]);
    return CallResult();
  }};
  policy_.error_multiple = 8;
  EXPECT_EQ(Judge(forgets_negative).status, Status::kOk);
  policy_.distributions = true;
  const Judgement judgement = Judge(forgets_negative);
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch);
  EXPECT_EQ(judgement.mismatch->inputs, "long_tail");
  EXPECT_EQ(judgement.mismatch->seed, judgement.trials.back().seed);
  EXPECT_EQ(judgement.distributions.back().outcome,
            record::Outside::Outcome::kWrong);
}

// It is right as long as nothing was timed in its process.
TEST_F(OracleTest, WhoCountsItsCallsIsAskedAgain) {
  policy_.error_multiple = 8;
  policy_.distributions = true;
  int64_t calls = 0, right = policy_.public_trials + 4;
  const Behaviour forgets_signs{[&](const Call& call) {
    if (++calls <= right) return Honest(call);
    for (int64_t i = 0; i < kElements; ++i)
      call.output[i] = std::abs(*call.weight * call.input[i]);
    return CallResult();
  }};
  const Judgement judgement = Judge(forgets_signs);
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch);
  const std::string& name = judgement.mismatch->inputs;
  EXPECT_FALSE(name.empty());
  const auto& all = judgement.distributions;
  EXPECT_EQ(std::ranges::count(all, record::Outside::Outcome::kWrong,
                               &record::Outside::Case::outcome),
            1);
  ASSERT_FALSE(judgement.trials.empty());
  EXPECT_EQ(judgement.trials.back().inputs, name);

  turn_.plan = Judge({Honest}).ruler;
  ASSERT_TRUE(turn_.plan);
  turn_.process = 1;
  RenewReference({Honest});
  calls = right = 0;
  policy_.public_trials = 0;
  EXPECT_EQ(Judge(forgets_signs).status, Status::kMismatch);
  RenewReference({Honest});
  const Judgement honest = Judge({Honest});
  EXPECT_EQ(honest.status, Status::kOk) << honest.text;
  EXPECT_EQ(honest.distributions.size(), 2) << "a few";
}

// --- Before its turn ---

TEST_F(OracleTest, NothingIsLoadedBeforeItsTurn) {
  std::thread jail;
  os::Fd candidate = Start({Honest}, true, &jail);
  Prepare(&candidate);
  EXPECT_EQ(stage_->loads, 0);
  EXPECT_EQ(JudgeTurn().status, Status::kOk);
  EXPECT_EQ(stage_->loads, 2);
  jail.join();
}

TEST_F(OracleTest, LifeIsLimitedFromItsTurnOn) {
  Judge({Honest});
  EXPECT_EQ(stage_->loads_at_begin, 1)
      << "when its reference has loaded, and it has not";
}

TEST_F(OracleTest, WhoLeavesBeforeItsTurnHasNotStarted) {
  auto [ours, theirs] = Sockets();
  theirs.Close();
  Prepare(&ours);
  EXPECT_EQ(JudgeTurn().status, Status::kNotStarted);
}

TEST_F(OracleTest, ATurnThatWasNotPreparedIsOurFailure) {
  SendJudge();
  const wire::Message answer = Receive();
  EXPECT_EQ(answer.type, MessageType::kFailed);
  EXPECT_NE(answer.payload.find("no process was prepared"), std::string::npos);
}

TEST_F(OracleTest, ProcessThatEndsBeforeItReadsItsSetUpHasNotStarted) {
  Behaviour dead{Honest};
  dead.starts = false;
  const Judgement judgement = Judge(dead);
  EXPECT_EQ(judgement.status, Status::kNotStarted);
  EXPECT_FALSE(judgement.loaded);
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
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

TEST_F(ChainTest, EveryCallOfAChainHasInputsOfItsOwn) {
  std::set<std::vector<float>> inputs;
  size_t calls = 0;
  size_t longest = 0;
  const Judgement judgement = JudgeChained({[&](const Call& call) {
    ++calls;
    longest = std::max(longest, call.calls);
    inputs.emplace(call.input, call.input + kElements);
    return Honest(call);
  }});
  EXPECT_EQ(judgement.status, Status::kOk) << judgement.text;
  EXPECT_GT(longest, 1U) << "no chain was ever read";
  EXPECT_EQ(inputs.size(), calls);
}

TEST_F(ChainTest, EveryCallOfAChainIsCompared) {
  for (const bool first : {false, true}) {
    const Judgement judgement = JudgeChained({[first](const Call& call) {
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

TEST_F(ChainTest, ComputingTheLastCallOfAChainOnlyIsIncorrect) {
  const Judgement judgement = JudgeChained({[](const Call& call) {
    return call.IsLast() ? Honest(call) : CallResult();
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  ASSERT_TRUE(judgement.mismatch);
  EXPECT_EQ(judgement.mismatch->unwritten, kElements);
}

TEST_F(ChainTest, OneAnswerForAllCallsOfAChainIsIncorrect) {
  auto kept = std::make_shared<std::vector<float>>();
  const Judgement judgement = JudgeChained({[kept](const Call& call) {
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

// Most often a guard is missing, and nobody means harm.
TEST_F(OracleTest, WritingNextToTheOutputIsIncorrectAndSaysHowFar) {
  const auto structure = [&](int64_t place) {
    const Judgement judgement = Judge({[place](const Call& call) {
      CallResult result = Honest(call);
      call.output[place] = 0;
      return result;
    }});
    EXPECT_EQ(judgement.status, Status::kMismatch);
    return judgement.mismatch ? judgement.mismatch->structure : "";
  };
  EXPECT_EQ(structure(-3),
            "wrote before the start of output 0, up to 12 bytes");
  EXPECT_TRUE(structure(kElements + 4)
                  .starts_with("wrote past the end of output 0, up to 20 bytes "
                               "behind it"));
}

TEST_F(OracleTest, WritingNextToAWrongOutputIsNoted) {
  const Judgement judgement = Judge({[](const Call& call) {
    call.output[0] = call.output[kElements] = 1;
    return CallResult{};
  }});
  EXPECT_EQ(judgement.status, Status::kMismatch);
  EXPECT_EQ(judgement.mismatch->structure, "");
  EXPECT_TRUE(std::ranges::any_of(judgement.notes, [](const auto& note) {
    return note.starts_with("wrote past the end of output 0");
  }));
}

// Right when it is looked at, but not when it was reported done.
TEST_F(ChainTest, WritingAfterDoneIsTampering) {
  for (const bool in_a_chain : {false, true}) {
    std::mutex mutex;
    std::vector<Call> late;
    g_in_forward.Set([&] {
      const std::lock_guard lock(mutex);
      for (const Call& call : late) Honest(call);
      late.clear();
    });
    const auto judge = [&](const Behaviour& behaviour) {
      return in_a_chain ? JudgeChained(behaviour) : Judge(behaviour);
    };
    const Judgement judgement = judge({[&](const Call& call) {
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

TEST_F(OracleTest, WhatIsSaidOfOneThatLoadedExplainsAWrongAnswer) {
  Behaviour behaviour{[](const Call&) { return CallResult{}; }};
  behaviour.load = {wire::CallStatus::kOk, "it has other weights"};
  const Judgement wrong = Judge(behaviour);
  EXPECT_EQ(wrong.status, Status::kMismatch);
  const std::string said = "its process says: it has other weights";
  EXPECT_EQ(std::ranges::count(wrong.notes, said), 1);
  behaviour.forward = Honest;
  const Judgement right = Judge(behaviour);
  EXPECT_EQ(right.status, Status::kOk);
  EXPECT_EQ(std::ranges::count(right.notes, said), 0);
}

// Which could otherwise fill a result with lines that look like ours.
TEST_F(OracleTest, OneRemarkOfAGoodCandidateIsKeptAsItsOwn) {
  int calls = 0;
  const Judgement judgement = Judge({[&calls](const Call& call) {
    Honest(call);
    return CallResult{wire::CallStatus::kOk, fmt::format("said {}", ++calls)};
  }});
  EXPECT_EQ(judgement.status, Status::kOk);
  EXPECT_GT(calls, 1);
  EXPECT_EQ(std::ranges::count_if(judgement.notes,
                                  [](const std::string& note) {
                                    return note.find("said ") !=
                                           std::string::npos;
                                  }),
            1);
  EXPECT_EQ(std::ranges::count_if(judgement.notes,
                                  [](const std::string& note) {
                                    return note.starts_with(
                                        "its process says: said ");
                                  }),
            1);
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
  EXPECT_EQ(judgement.limit_s, 0.3);
}

TEST_F(OracleTest, TheNextCandidateIsJudgedAfterABadOne) {
  Judge(HangingUp());
  EXPECT_EQ(Judge({Honest}).status, Status::kOk);
}

}  // namespace
}  // namespace kb::oracle
