#include "eval/decide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

namespace kb::eval {
namespace {

using jail::JailExit;
using record::Judgement;
using record::Verdict;
using Status = record::Judgement::Status;

Judgement Ended(Status status, std::string text = "", bool loaded = true) {
  Judgement judgement;
  judgement.status = status;
  judgement.text = std::move(text);
  judgement.loaded = loaded;
  return judgement;
}

JailExit Exit(JailExit::Kind kind, int code = 0, int signal = 0) {
  JailExit exit;
  exit.kind = kind;
  exit.code = code;
  exit.signal = signal;
  return exit;
}

Verdict VerdictOf(const Judgement& judgement, const JailExit& exit) {
  return Decide(judgement, exit, record::Policy()).verdict;
}

TEST(Decide, WhatTheOracleSawDecides) {
  const JailExit killed = Exit(JailExit::Kind::kKilled);
  EXPECT_EQ(VerdictOf(Ended(Status::kOk), killed), Verdict::kCorrect);
  EXPECT_EQ(VerdictOf(Ended(Status::kMismatch), killed), Verdict::kIncorrect);
  EXPECT_EQ(VerdictOf(Ended(Status::kLoadFailed), killed), Verdict::kLoadError);
  EXPECT_EQ(VerdictOf(Ended(Status::kCallFailed), killed),
            Verdict::kRuntimeError);
  EXPECT_EQ(VerdictOf(Ended(Status::kOutOfMemory), killed),
            Verdict::kOutOfMemory);
  EXPECT_EQ(VerdictOf(Ended(Status::kTimeout), killed), Verdict::kTimeout);
  EXPECT_EQ(VerdictOf(Ended(Status::kTampering), killed),
            Verdict::kNotCertified);
}

TEST(ForgiveInterpreter, InBfloat16ItsWrongAnswersProveNothing) {
  using record::Precision;
  const auto forgiven = [](Precision precision, Precision given,
                           bool interpreted, Verdict verdict) {
    record::Problem problem;
    problem.given = given;
    record::Evaluation evaluation;
    evaluation.precision = precision;
    evaluation.interpreted = interpreted;
    evaluation.verdict = verdict;
    evaluation.reason = "all wrong";
    ForgiveInterpreter(problem, &evaluation);
    EXPECT_NE(evaluation.reason.find("all wrong"), std::string::npos);
    return !evaluation.verdict;
  };
  constexpr auto kBf16 = Precision::kBf16, kFp32 = Precision::kFp32;
  EXPECT_TRUE(forgiven(kBf16, kFp32, true, Verdict::kIncorrect));
  EXPECT_TRUE(forgiven(Precision::kAsGiven, kBf16, true, Verdict::kIncorrect));
  EXPECT_FALSE(forgiven(Precision::kAsGiven, kFp32, true, Verdict::kIncorrect));
  EXPECT_FALSE(forgiven(kFp32, kBf16, true, Verdict::kIncorrect));
  EXPECT_FALSE(forgiven(kBf16, kBf16, false, Verdict::kIncorrect));
  EXPECT_FALSE(forgiven(kBf16, kBf16, true, Verdict::kCorrect));
  EXPECT_FALSE(forgiven(kBf16, kBf16, true, Verdict::kTimeout));
}

TEST(Decide, TheReasonIsTheLineWithTheExceptionsType) {
  const auto reason = [](const char* text) {
    return Decide(Ended(Status::kCallFailed, text),
                  Exit(JailExit::Kind::kKilled), record::Policy())
        .reason;
  };
  EXPECT_EQ(reason("Traceback (most recent call last):\n"
                   "  File \"/candidate/a.py\", line 3, in forward\n"
                   "    return f(x, 3)\n           ^^^^^^^\n"
                   "TypeError: f(): incompatible function arguments.\n"
                   "    1. (arg0: torch.Tensor)\n\n"
                   "Invoked with: tensor([1,\n 2]), 3\n"),
            "TypeError: f(): incompatible function arguments.");
  // Of several the last one.
  EXPECT_EQ(reason("Traceback (most recent call last):\n"
                   "  File \"a.py\", line 1, in f\nKeyError: 'x'\n\n"
                   "During handling of the above exception, another one:\n\n"
                   "Traceback (most recent call last):\n"
                   "  File \"a.py\", line 2, in f\nValueError: one\ntwo\n"),
            "ValueError: one");
  EXPECT_EQ(reason("no frame\nthe last line"), "the last line");
  EXPECT_EQ(reason("ImportError\n  File \"a.py\", line 1"),
            "File \"a.py\", line 1");
}

TEST(Decide, ATimeoutNamesTheLimitThatHeld) {
  Judgement judgement = Ended(Status::kTimeout, "forward");
  judgement.limit_s = 150;  // of a first call
  EXPECT_EQ(
      Decide(judgement, Exit(JailExit::Kind::kKilled), record::Policy()).reason,
      "no answer within 150 s of forward");
}

TEST(Decide, HowTheJailEndedDecidesWhenItWentSilently) {
  const Judgement gone = Ended(Status::kGone, "forward");
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kSignaled, 0, 11)),
            Verdict::kRuntimeError);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kExited, 0)),
            Verdict::kRuntimeError);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kTimedOut)),
            Verdict::kTimeout);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kOutOfMemory)),
            Verdict::kOutOfMemory);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kSetupFailed)),
            Verdict::kInfraError);
  EXPECT_EQ(VerdictOf(gone, Exit(JailExit::Kind::kLost)), Verdict::kInfraError);
}

TEST(Decide, BeforeAnythingForeignRanItIsOurFailure) {
  const Judgement unstarted = Ended(Status::kNotStarted, "", false);
  for (const JailExit& exit :
       {Exit(JailExit::Kind::kExited, 70), Exit(JailExit::Kind::kExited, 1),
        Exit(JailExit::Kind::kSignaled, 0, 9), Exit(JailExit::Kind::kKilled)})
    EXPECT_EQ(VerdictOf(unstarted, exit), Verdict::kInfraError);
}

TEST(Decide, NoExitCodeMakesOurFailureOfACandidates) {
  for (int code = 0; code < 256; ++code) {
    const JailExit exit = Exit(JailExit::Kind::kExited, code);
    EXPECT_EQ(VerdictOf(Ended(Status::kGone, "forward"), exit),
              Verdict::kRuntimeError);
    EXPECT_EQ(VerdictOf(Ended(Status::kGone, "", false), exit),
              Verdict::kLoadError);
  }
}

TEST(Decide, WhatSomebodyOutsideMayHaveDoneIsDoubtful) {
  const auto doubtful = [](bool loaded, const JailExit& exit) {
    return Decide(Ended(Status::kGone, "", loaded), exit, record::Policy())
        .doubtful;
  };
  for (const bool loaded : {false, true}) {
    EXPECT_TRUE(doubtful(loaded, Exit(JailExit::Kind::kSignaled, 0, SIGKILL)));
    EXPECT_TRUE(doubtful(loaded, Exit(JailExit::Kind::kSignaled, 0, SIGTERM)));
    EXPECT_FALSE(doubtful(loaded, Exit(JailExit::Kind::kSignaled, 0, SIGSEGV)));
    EXPECT_FALSE(doubtful(loaded, Exit(JailExit::Kind::kExited, 1)));
    EXPECT_FALSE(doubtful(loaded, Exit(JailExit::Kind::kTimedOut)));
  }
  EXPECT_TRUE(doubtful(false, Exit(JailExit::Kind::kExited, 70)));
  EXPECT_FALSE(doubtful(true, Exit(JailExit::Kind::kExited, 70)));
}

TEST(Decide, WhatNobodyHasJudgedIsOurFailure) {
  EXPECT_EQ(VerdictOf(Judgement(), Exit(JailExit::Kind::kKilled)),
            Verdict::kInfraError);
}

TEST(Decide, DeathBeforeTheFirstCallIsALoadError) {
  const Judgement loading = Ended(Status::kGone, "", false);
  EXPECT_EQ(VerdictOf(loading, Exit(JailExit::Kind::kSignaled, 0, 11)),
            Verdict::kLoadError);
}

TEST(Decide, ReasonSaysWhatHappenedAndWhere) {
  const Decision crash =
      Decide(Ended(Status::kGone, "forward"),
             Exit(JailExit::Kind::kSignaled, 0, 11), record::Policy());
  EXPECT_EQ(crash.reason,
            "during forward, was killed by signal 11 (Segmentation fault)");
  const Decision raised =
      Decide(Ended(Status::kCallFailed, "Traceback ...\nValueError: no\n"),
             Exit(JailExit::Kind::kKilled), record::Policy());
  EXPECT_EQ(raised.reason, "ValueError: no");
  EXPECT_NE(raised.log.find("Traceback"), std::string::npos);
}

TEST(Describe, CountsAreSaidOnce) {
  record::Mismatch mismatch;
  mismatch.wrong = 3;
  mismatch.elements = 10;
  EXPECT_EQ(Describe(mismatch), "3 of 10 elements of output 0 are wrong");
  mismatch.pattern = "all zeros";
  EXPECT_EQ(Describe(mismatch),
            "3 of 10 elements of output 0 are wrong: all zeros");
  mismatch.pattern = "3 of 10 elements (30 %): NaN";
  EXPECT_EQ(Describe(mismatch), "output 0: 3 of 10 elements (30 %): NaN");
}

TEST(Describe, SaysOnWhichInputs) {
  record::Mismatch mismatch;
  mismatch.wrong = 3;
  mismatch.elements = 10;
  mismatch.inputs = "as_given";
  EXPECT_EQ(Describe(mismatch),
            "3 of 10 elements of output 0 are wrong on inputs as the problem "
            "draws them");
  mismatch.inputs = "large";
  EXPECT_EQ(Describe(mismatch),
            "3 of 10 elements of output 0 are wrong on inputs of another "
            "distribution, large");
}

// Of a GPU: rounds in which a call takes `reference` and `candidate` us, as
// chains of eleven say, behind a constant of 150 us.
record::Evaluation Timed(int counted, double reference = 300,
                         double candidate = 100) {
  record::Evaluation evaluation;
  evaluation.device.device = "cuda:0";
  record::Ruler& ruler = evaluation.ruler.emplace();
  ruler.calls = 11;
  ruler.alone_us = 3;
  ruler.alone_share = 0.02;
  evaluation.trials.push_back({.seed = 42});
  for (int i = 0; i < counted; ++i) {
    record::Trial trial;
    trial.timed = trial.counts = true;
    trial.constant_us = 150;
    trial.reference_us = reference;
    trial.candidate_us = candidate;
    trial.reference_one_us = 150 + reference;
    trial.candidate_one_us = 150 + candidate;
    trial.reference_chain_us = 150 + 11 * reference;
    trial.candidate_chain_us = 150 + 11 * candidate;
    evaluation.trials.push_back(trial);
  }
  return evaluation;
}

// `count` rounds in which somebody else had the device.
void AddDisturbed(int count, record::Evaluation* evaluation) {
  record::Trial trial = Timed(1, 9000, 1).trials.back();
  trial.counts = false;
  evaluation->trials.insert(evaluation->trials.end(),
                            static_cast<size_t>(count), trial);
  evaluation->ruler->disturbed += count;
}

bool Says(const std::vector<std::string>& notes, const std::string& words) {
  return std::ranges::any_of(notes, [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

TEST(DecideTimes, SpeedupIsOfTheTrialsThatCount) {
  record::Evaluation evaluation = Timed(8);
  AddDisturbed(3, &evaluation);
  const Decision decision = DecideTimes(&evaluation);
  EXPECT_EQ(decision.verdict, Verdict::kCorrect);
  EXPECT_EQ(decision.reason, "all outputs agree in 12 trials");
  ASSERT_TRUE(evaluation.speedup);
  EXPECT_NEAR(evaluation.speedup->estimate, 3, 1e-9);
  EXPECT_LT(evaluation.speedup->low, 3);
  EXPECT_GT(evaluation.speedup->high, 3);
  ASSERT_TRUE(evaluation.reference_time && evaluation.candidate_time);
  EXPECT_EQ(evaluation.reference_time->count, 8);
  EXPECT_EQ(evaluation.candidate_time->count, 8);
  EXPECT_NEAR(evaluation.reference_time->median, 300, 1e-9);
  EXPECT_NEAR(evaluation.candidate_time->median, 100, 1e-9);
}

TEST(DecideTimes, AnEarlyEndIsSaid) {
  record::Evaluation evaluation = Timed(8);
  evaluation.policy.stop_below = 1;
  DecideTimes(&evaluation);
  EXPECT_FALSE(Says(evaluation.notes, "stop_below")) << "it is 3x";
  evaluation = Timed(8);
  evaluation.policy.stop_below = 10;
  DecideTimes(&evaluation);
  EXPECT_TRUE(Says(evaluation.notes, "below 10 (stop_below)"));
}

TEST(DecideTimes, BelowTheFloorIsNotCertifiedAndSaysSo) {
  record::Evaluation evaluation = Timed(8);
  evaluation.ruler->floor_us = 123.4;
  const Decision decision = DecideTimes(&evaluation);
  EXPECT_EQ(decision.verdict, Verdict::kNotCertified);
  EXPECT_EQ(decision.reason,
            "100 us a call is impossible: what every right answer has to do "
            "takes this device 123.4 us or more");
  EXPECT_FALSE(evaluation.speedup);
  EXPECT_TRUE(evaluation.candidate_time) << "what was read is kept";
}

TEST(DecideTimes, AtTheFloorIsPossible) {
  record::Evaluation evaluation = Timed(8);
  evaluation.ruler->floor_us = 99.9;
  EXPECT_EQ(DecideTimes(&evaluation).verdict, Verdict::kCorrect);
  EXPECT_TRUE(evaluation.speedup);
}

TEST(DecideTimes, NoiseWidensTheIntervalAndRefusesNobody) {
  record::Evaluation evaluation = Timed(12);
  // Chains between a tenth and ten times of what they should take.
  for (size_t i = 1; i < evaluation.trials.size(); ++i) {
    record::Trial& trial = evaluation.trials[i];
    trial.reference_chain_us *= i % 3 == 0 ? 10 : 0.1 + 0.2 * (i % 4);
    trial.candidate_chain_us *= i % 4 == 0 ? 10 : 0.1 + 0.2 * (i % 5);
  }
  EXPECT_EQ(DecideTimes(&evaluation).verdict, Verdict::kCorrect);
  ASSERT_TRUE(evaluation.speedup);
  EXPECT_GT(evaluation.speedup->high / evaluation.speedup->low, 2);
}

TEST(DecideTimes, WhereNoTrialCountsThereIsNoSpeedupButANote) {
  record::Evaluation evaluation = Timed(0);
  AddDisturbed(5, &evaluation);
  evaluation.ruler->floor_us = 1e9;
  EXPECT_EQ(DecideTimes(&evaluation).verdict, Verdict::kCorrect);
  EXPECT_FALSE(evaluation.speedup);
  EXPECT_FALSE(evaluation.candidate_time);
  EXPECT_TRUE(Says(evaluation.notes, "no speedup"));
}

TEST(DecideTimes, WhatWasNotTimedHasNoTimesAndNoNotes) {
  record::Evaluation untimed = Timed(0);
  untimed.ruler.reset();
  EXPECT_EQ(DecideTimes(&untimed).verdict, Verdict::kCorrect);
  EXPECT_FALSE(untimed.speedup);
  EXPECT_TRUE(untimed.notes.empty());
}

TEST(DecideTimes, InterpretedCandidatesHaveNoTimes) {
  record::Evaluation evaluation = Timed(10);
  evaluation.interpreted = true;
  evaluation.ruler->floor_us = 1e9;
  EXPECT_EQ(DecideTimes(&evaluation).verdict, Verdict::kCorrect);
  EXPECT_FALSE(evaluation.speedup);
  EXPECT_FALSE(evaluation.candidate_time);
}

TEST(DecideTimes, WallTimeIsOfTheRoundsThatHaveIt) {
  record::Evaluation evaluation = Timed(8);
  AddDisturbed(1, &evaluation);
  evaluation.trials.back().reference_wall_us = 1e6;
  evaluation.trials.back().candidate_wall_us = 1;
  for (size_t i = 1; i <= 5; ++i) {
    evaluation.trials[i].reference_wall_us = 900 + static_cast<double>(i);
    evaluation.trials[i].candidate_wall_us = 450 + static_cast<double>(i) / 2;
  }
  // One side alone says nothing.
  evaluation.trials[6].candidate_wall_us = 1;
  EXPECT_EQ(DecideTimes(&evaluation).verdict, Verdict::kCorrect);
  ASSERT_TRUE(evaluation.wall_speedup);
  ASSERT_TRUE(evaluation.reference_wall && evaluation.candidate_wall);
  EXPECT_NEAR(evaluation.wall_speedup->estimate, 2, 1e-9);
  EXPECT_NEAR(evaluation.wall_speedup->low, 2, 0.25);
  EXPECT_NEAR(evaluation.wall_speedup->high, 2, 0.25);
  EXPECT_EQ(evaluation.reference_wall->count, 5);
  EXPECT_DOUBLE_EQ(evaluation.reference_wall->median, 903);
  EXPECT_DOUBLE_EQ(evaluation.candidate_wall->median, 451.5);
  EXPECT_NEAR(evaluation.speedup->estimate, 3, 1e-9) << "stands beside it";
}

TEST(DecideTimes, WithoutWallReadingsThereIsNoWallTime) {
  record::Evaluation evaluation = Timed(8);
  DecideTimes(&evaluation);
  EXPECT_FALSE(evaluation.wall_speedup);
  EXPECT_FALSE(evaluation.reference_wall);
  EXPECT_FALSE(evaluation.candidate_wall);
}

// A slope of wall times would be one that no rule about calls alone holds.
TEST(DecideTimes, OnCpuWallTimesAreTheTimes) {
  record::Evaluation evaluation = Timed(8);
  evaluation.device.device = "cpu";
  evaluation.trials[1].reference_wall_us = 900;
  evaluation.trials[1].candidate_wall_us = 1;
  DecideTimes(&evaluation);
  ASSERT_TRUE(evaluation.speedup && evaluation.candidate_time);
  EXPECT_EQ(evaluation.wall_speedup, evaluation.speedup);
  EXPECT_EQ(evaluation.reference_wall, evaluation.reference_time);
  EXPECT_EQ(evaluation.candidate_wall, evaluation.candidate_time);
}

TEST(DecideTimes, RoundsThatWereThrownAwayAreNoted) {
  record::Evaluation plain = Timed(8);
  DecideTimes(&plain);
  EXPECT_TRUE(plain.notes.empty());

  record::Evaluation disturbed = Timed(8);
  AddDisturbed(3, &disturbed);
  DecideTimes(&disturbed);
  EXPECT_EQ(disturbed.notes.size(), 1U);
  EXPECT_TRUE(Says(disturbed.notes, "3 rounds were thrown away"));
}

// Half of the rounds take longer, as where memory lies in an unlucky place.
TEST(DecideTimes, ACallThatDependsOnItsMemoryIsNamed) {
  record::Evaluation steady = Timed(8, 5000, 5000);
  steady.ruler->calls = 1;
  record::Evaluation unsteady = steady;
  for (size_t i = 1; i < unsteady.trials.size(); i += 2) {
    unsteady.trials[i].reference_us += 1400;
    unsteady.trials[i].reference_one_us += 1400;
  }
  DecideTimes(&steady);
  EXPECT_TRUE(steady.notes.empty());
  DecideTimes(&unsteady);
  EXPECT_EQ(unsteady.notes.size(), 1U);
  EXPECT_TRUE(Says(unsteady.notes, "the reference took 5000 to 6400 us"));
}

TEST(DecideTimes, AReferenceThatWasSlowedDownIsNamed) {
  record::Evaluation evaluation = Timed(8);
  evaluation.ruler->control_us = 200;
  EXPECT_EQ(DecideTimes(&evaluation).verdict, Verdict::kCorrect);
  EXPECT_NEAR(evaluation.speedup->estimate, 2.04, 1e-9);
  EXPECT_TRUE(Says(evaluation.notes, "took 200 us once this process had gone"));
  record::Evaluation fair = Timed(8);
  fair.ruler->control_us = 299;
  DecideTimes(&fair);
  EXPECT_TRUE(fair.notes.empty());
}

// A correct evaluation under a policy, and what was seen of it.
class DecideProvenanceTest : public testing::Test {
 protected:
  DecideProvenanceTest() {
    evaluation_.policy = *record::NamedPolicy("own-kernels");
    evaluation_.verdict = Verdict::kCorrect;
    evaluation_.speedup = record::Interval{2, 1.9, 2.1};
    seen_.status = Status::kOk;
  }

  void Saw(double own, double framework) {
    record::Provenance& provenance = seen_.provenance.emplace();
    provenance.method = "cupti";
    provenance.shares[static_cast<size_t>(record::Origin::kOwn)] = own;
    provenance.shares[static_cast<size_t>(record::Origin::kFramework)] =
        framework;
  }

  Verdict Decided() {
    DecideProvenance(seen_, Exit(JailExit::Kind::kKilled), &evaluation_);
    return *evaluation_.verdict;
  }

  record::Evaluation evaluation_;
  Judgement seen_;
};

TEST_F(DecideProvenanceTest, BelowTheSharesTheNumbersAreSaid) {
  Saw(0.25, 0.75);
  EXPECT_EQ(Decided(), Verdict::kRejected);
  EXPECT_EQ(
      evaluation_.reason,
      "25 % of the time went to code of its own; policy own-kernels wants "
      "50 % (framework 75 %, own 25 %)");
  EXPECT_FALSE(evaluation_.speedup);
  EXPECT_TRUE(evaluation_.provenance);
}

TEST_F(DecideProvenanceTest, AtTheShareItStaysCorrect) {
  Saw(0.5, 0.5);
  EXPECT_EQ(Decided(), Verdict::kCorrect);
  EXPECT_TRUE(evaluation_.speedup);
  EXPECT_TRUE(evaluation_.provenance);
}

TEST_F(DecideProvenanceTest, WhereItIsOnlyLookedAtNobodyIsRejected) {
  evaluation_.policy.provenance = record::ProvenanceRule::kOn;
  Saw(0, 1);
  EXPECT_EQ(Decided(), Verdict::kCorrect);
  EXPECT_TRUE(evaluation_.speedup);
  EXPECT_TRUE(evaluation_.provenance);
  seen_.provenance.reset();
  seen_.no_provenance = "nothing was seen to run";
  EXPECT_EQ(Decided(), Verdict::kCorrect);
  EXPECT_EQ(evaluation_.notes.back(),
            "what ran is not known: nothing was seen to run");
}

TEST_F(DecideProvenanceTest, WhoShowsNothingIsRejectedWhereItIsRequired) {
  seen_.no_provenance = "its process told nothing";
  EXPECT_EQ(Decided(), Verdict::kRejected);
  EXPECT_EQ(evaluation_.reason,
            "what ran is not known: its process told nothing");
  EXPECT_FALSE(evaluation_.speedup);
}

TEST_F(DecideProvenanceTest, WhoIsWrongWhileItIsLookedAtIsRejected) {
  seen_.status = Status::kCallFailed;
  seen_.text = "ValueError: who looks?";
  EXPECT_EQ(Decided(), Verdict::kRejected);
  EXPECT_EQ(evaluation_.reason,
            "what ran is not known: while it was observed: ValueError: who "
            "looks?");
}

TEST_F(DecideProvenanceTest, ThatWeCannotLookIsOurFailure) {
  seen_.observer_failed = true;
  seen_.no_provenance = "no CUPTI";
  EXPECT_EQ(Decided(), Verdict::kInfraError);
}

class DecideProfileTest : public testing::Test {
 protected:
  DecideProfileTest() {
    evaluation_.verdict = Verdict::kCorrect;
    seen_.status = Status::kOk;
    record::Activity& activity = seen_.activity.emplace();
    activity.method = "samples";
    activity.samples = activity.calls = 4;
    activity.call_us = 8;
    activity.parts.emplace_back().share = 1;
    record::Yardstick& yardstick = seen_.yardstick.emplace();
    yardstick.input_bytes = 20'000;
    yardstick.weight_bytes = 10'000;
    yardstick.output_bytes = 10'000;
    problem_.cost.emplace().flops = 4e6;
  }

  void Decide() {
    DecideProfile(seen_, Exit(JailExit::Kind::kKilled), problem_, &evaluation_);
    EXPECT_EQ(evaluation_.verdict, Verdict::kCorrect);
  }

  double Figure(const std::string& name) const {
    for (const auto& figure : evaluation_.profile->figures)
      if (figure.name == name) return figure.value;
    return 0;
  }

  record::Problem problem_;
  record::Evaluation evaluation_;
  Judgement seen_;
};

TEST_F(DecideProfileTest, HoldsWhatWasSeenAgainstWhatIsKnown) {
  Decide();
  ASSERT_TRUE(evaluation_.profile);
  EXPECT_EQ(evaluation_.profile->limiter, "code");
  EXPECT_DOUBLE_EQ(Figure("memory bandwidth"), 5);
  EXPECT_DOUBLE_EQ(Figure("arithmetic"), 0.5);
  evaluation_.candidate_time.emplace().median = 4;
  Decide();
  EXPECT_DOUBLE_EQ(Figure("memory bandwidth"), 10);
}

TEST_F(DecideProfileTest, ThatNobodyCouldLookIsANote) {
  seen_.activity.reset();
  seen_.no_activity = "no CUPTI";
  seen_.observer_failed = true;
  Decide();
  EXPECT_FALSE(evaluation_.profile);
  EXPECT_EQ(evaluation_.notes.back(),
            "where its time goes is not known: no CUPTI");
}

TEST_F(DecideProfileTest, WhoFailsWhileItIsLookedAtStaysCorrect) {
  seen_.activity.reset();
  seen_.status = Status::kGone;
  Decide();
  EXPECT_TRUE(evaluation_.notes.back().starts_with(
      "where its time goes is not known: while it was observed: "))
      << evaluation_.notes.back();
}

TEST(WithPlace, IsTheLineOfTheCandidateWhereItEnds) {
  const std::string log =
      "Traceback (most recent call last):\n"
      "  File \"/opt/hosts/candidate_host.py\", line 70, in load_module\n"
      "  File \"/candidate/relu.py\", line 5, in forward\n"
      "  File \"/candidate/relu.py\", line 12, in helper\n"
      "  File \"/site/torch/nn.py\", line 9, in relu\nNameError: y";
  EXPECT_EQ(WithPlace("NameError: y", log, "relu.py"),
            "NameError: y (relu.py:12)");
  EXPECT_EQ(WithPlace("NameError: y", log, "other.py"), "NameError: y");
  const std::string raised_from =
      "  File \"/candidate/relu.py\", line 8, in kernel\nAttributeError: y\n\n"
      "The above exception was the direct cause of the following exception:\n"
      "\n  File \"/candidate/relu.py\", line 13, in forward\nError: y";
  EXPECT_EQ(WithPlace("Error: y", raised_from, "relu.py"),
            "Error: y (relu.py:8)");
  EXPECT_EQ(WithPlace("died", "", "relu.py"), "died");
  EXPECT_EQ(WithPlace("died", "/relu.py\", line x", "relu.py"), "died");
}

}  // namespace
}  // namespace kb::eval
