#include "lane_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/text.h"
#include "eval/decide.h"
#include "eval/join.h"
#include "new_evaluation.h"
#include "timing/estimate.h"
#include "timing/floor.h"

namespace kb::eval {
namespace {

using base::Result;
using compile::Artifact;
using record::Evaluation;
using record::Verdict;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What the verdict of a judged candidate rests on, and what nobody can see.
void ListChecks(Evaluation* evaluation) {
  int64_t open_trials = 0, secret_trials = 0;
  for (const record::Trial& trial : evaluation->trials)
    ++(trial.timed || !trial.inputs.empty() ? secret_trials : open_trials);
  evaluation->checked = {
      fmt::format("every element of every output in {} trials, {} of them with "
                  "secret inputs",
                  open_trials + secret_trials, secret_trials),
      "outputs poisoned before and compared after every call",
      "inputs unchanged by every call", "red zones around every output"};
  const bool outside =
      evaluation->outside && !evaluation->outside->distributions.empty();
  const bool sizes = evaluation->outside && !evaluation->outside->sizes.empty();
  if (sizes)
    evaluation->checked.push_back("hidden sizes: " +
                                  record::Describe(evaluation->outside->sizes));
  if (outside)
    evaluation->checked.push_back(
        "inputs of trials of their own: " +
        record::Describe(evaluation->outside->distributions));
  if (evaluation->provenance)
    evaluation->checked.push_back(
        "what ran, by the word of its own process: " +
        record::DescribeShares(*evaluation->provenance));
  evaluation->unchecked = {evaluation->provenance
                               ? "who wrote the kernel"
                               : "who wrote the kernel, and with which "
                                 "libraries",
                           outside ? "inputs of any other distribution"
                                   : "inputs outside the problem's "
                                     "distribution",
                           "races rarer than the number of trials"};
  if (!sizes)
    evaluation->unchecked.emplace_back("other sizes than the one shown");
  if (evaluation->interpreted)
    evaluation->unchecked.emplace_back("time: Triton ran in its interpreter");
  else if (evaluation->device.device == "cpu")
    evaluation->unchecked.emplace_back(
        "time to the per cent: on cpu everything shares the cores");
}

class LaneLoop {
 public:
  LaneLoop(size_t number, const SessionParts& parts,
           const SessionOptions& options, BuiltQueue* built, Told* told,
           std::stop_token stop)
      : number_(number),
        parts_(parts),
        runner_(*parts.runners.at(number)),
        options_(options),
        lane_(options.lanes.at(number)),
        built_(built),
        told_(told),
        stop_(std::move(stop)) {}

  Result<void> Run() {
    while (!GaveUp()) {
      std::unique_ptr<Built> current = std::move(next_);
      if (!current) current = WaitForNext();
      if (stop_.stop_requested()) return base::Fail("interrupted");
      if (!current) break;
      KB_TRY(RunTask(std::move(current)));
    }
    return base::Ok();
  }

 private:
  bool cuda() const { return lane_.device != "cpu"; }

  std::unique_ptr<Built> WaitForNext() {
    const Profile::Span span(options_.profile, lane_.device, Phase::kIdle, "");
    return built_->Next(number_, open_group_, stop_);
  }

  Result<void> RunTask(std::unique_ptr<Built> built) {
    const auto start = Clock::now();
    Evaluation evaluation = NewEvaluation(built->task, options_, lane_);
    AddNotes(built->notes, &evaluation);
    if (device_) evaluation.device = *device_;
    failed_ = false;
    if (Compiled(built->artifact, &evaluation)) {
      const std::string obstacle =
          parts_.why_not_runnable(built->task.candidate);
      if (obstacle.empty())
        KB_TRY(JudgeWithRetry(*built, &evaluation));
      else
        evaluation.reason = obstacle;
    }
    runner_.End(built->index);
    if (failed_ && built->failed_on == Built::kNoLane && built_->HasOthers()) {
      built->failed_on = number_;
      built->notes.push_back(fmt::format("tried again after {} failed: {}",
                                         lane_.device, evaluation.reason));
      built_->PutBack(std::move(built));
    } else {
      evaluation.wall_seconds =
          evaluation.compile_seconds + SecondsSince(start);
      told_->Done(built->index, evaluation);
      built_->Finished();
    }
    NoteFault(evaluation.reason);
    return base::Ok();
  }

  void NoteFault(const std::string& reason) {
    faults_ = failed_ ? faults_ + 1 : 0;
    if (failed_) why_ = reason;
  }

  // A device that fails again and again is left alone, if there is another.
  bool GaveUp() {
    constexpr int kMost = 2;
    if (faults_ < kMost || !built_->Leave(number_)) return false;
    if (next_) built_->PutBack(std::move(next_));
    told_->Notice(fmt::format(
        "{} is left alone from now on, after {} failures one after another: {}",
        lane_.device, faults_, why_));
    return true;
  }

  // Fills what is known of the build; false when it ends the evaluation.
  static bool Compiled(const Result<Artifact>& answer, Evaluation* evaluation) {
    if (!answer) {
      evaluation->verdict = Verdict::kInfraError;
      evaluation->reason = answer.error().message();
      return false;
    }
    evaluation->compile_seconds = answer->seconds;
    evaluation->compile_cached = answer->cached;
    switch (answer->status) {
      case compile::BuildStatus::kOk:
      case compile::BuildStatus::kNothingToBuild:
        return true;
      case compile::BuildStatus::kNotSet:
        evaluation->verdict = Verdict::kInfraError;
        evaluation->reason = "the build ended without saying how";
        return false;
      case compile::BuildStatus::kFailed:
        evaluation->reason = FirstError(answer->log);
        break;
      case compile::BuildStatus::kTimedOut:
        evaluation->reason = fmt::format("compilation took longer than {} s",
                                         evaluation->policy.compile_seconds);
        break;
      case compile::BuildStatus::kOutOfMemory:
        evaluation->reason = "the compiler ran out of memory";
        break;
    }
    evaluation->verdict = Verdict::kCompileError;
    evaluation->log = answer->log;
    return false;
  }

  // The compiler's first line that says what is wrong; where none does, the
  // first of all.
  static std::string FirstError(const std::string& log) {
    for (const char* mark : {"error:", "error :", "Error:", "undefined"})
      for (const std::string& line : base::Split(log, '\n'))
        if (line.find(mark) != std::string::npos)
          return std::string(base::Trim(line)).substr(0, 300);
    const std::string first(base::Trim(log.substr(0, log.find('\n'))));
    return first.empty() ? "the compiler failed" : first.substr(0, 300);
  }

  // Judges; when our side fails or may have failed, once more on a fresh lane.
  Result<void> JudgeWithRetry(const Built& built, Evaluation* evaluation) {
    constexpr int kTries = 2;
    for (int attempt = 1;; ++attempt) {
      const Result<void> judged = Judge(built, evaluation);
      if (stop_.stop_requested()) return base::Fail("interrupted");
      const bool ours = !judged || evaluation->verdict == Verdict::kInfraError;
      if (!ours && !doubtful_) return base::Ok();
      if (!judged) {
        evaluation->verdict = Verdict::kInfraError;
        evaluation->reason = base::Shorten(judged.error().message(), 2000);
      }
      if (reference_failed_) return base::Ok();
      if (ours || attempt < kTries) StartOver(ours);
      if (attempt == kTries) {
        failed_ = ours;
        return base::Ok();
      }
      Evaluation fresh = NewEvaluation(built.task, options_, lane_);
      AddNotes(built.notes, &fresh);
      fresh.notes.push_back((ours ? "tried again after our own failure: "
                                  : "tried again, perhaps not its doing: ") +
                            evaluation->reason);
      fresh.compile_seconds = evaluation->compile_seconds;
      fresh.compile_cached = evaluation->compile_cached;
      *evaluation = std::move(fresh);
    }
  }

  // `fresh`: what failed is not asked again, neither for this task nor for the
  // next.
  void StartOver(bool fresh) {
    runner_.StartOver(fresh);
    open_group_.clear();
  }

  Result<void> Judge(const Built& built, Evaluation* evaluation) {
    const Task& task = built.task;
    doubtful_ = reference_failed_ = false;
    KB_TRY(runner_.Launch(built, processes_));
    KB_TRY(Open(built, evaluation));
    record::Policy policy = task.policy;
    LookAtNothing(&policy);  // Observe, later
    evaluation->interpreted = IsInterpreted(task, lane_.device);
    if (evaluation->interpreted)
      policy.min_timed_trials = policy.max_timed_trials = 0;

    told_->Step(built.index, "loading");
    KB_TRY(runner_.Prepare(built, policy, 0));
    // They touch no device, and no processor of those that are timed, before
    // their turn.
    LaunchNext();
    record::Turn turn{
        .compiled = IsCompiledReference(built.task),
        .baseline = built.task.baseline,
        .untimed = policy.max_timed_trials == 0 && !built.task.baseline &&
                   policy.procedure != record::Procedure::kOriginal};
    KB_ASSIGN(lane::TurnResult outcome, RunTurn(turn, policy, built));
    const record::Judgement& judgement = outcome.judgement;
    const auto right = [&] {
      return judgement.status == record::Judgement::Status::kOk;
    };
    turn.plan = judgement.ruler;
    // Public inputs have been tried; one more such call warms a process up.
    policy.public_trials = std::min<int64_t>(policy.public_trials, 1);
    constexpr int64_t kMore = 2;
    int64_t launched = processes_;
    for (turn.process = 1;
         right() && turn.plan &&
         !timing::EnoughProcesses(policy, judgement.trials, turn.process,
                                  *turn.plan, cuda(), turn.compiled);
         ++turn.process) {
      if (turn.process == launched)
        KB_TRY(runner_.Launch(built, launched += kMore));
      KB_TRY(runner_.Prepare(built, policy, turn.process));
      KB_ASSIGN(lane::TurnResult next, RunTurn(turn, policy, built));
      Join(next, turn.process, &outcome);
    }
    if (auto& ruler = outcome.judgement.ruler) {
      ruler->processes = turn.process;
      ruler->floor_us = timing::FloorMicros(
          timing::DemandOf(task.problem, task.precision, *ruler),
          ruler->ceilings, task.precision);
    }
    constexpr int64_t kMostAhead = 3;
    if (right()) processes_ = std::min(turn.process, kMostAhead);
    Conclude(outcome, task.problem, evaluation);
    if (Looks(task.policy) && evaluation->verdict == Verdict::kCorrect)
      KB_TRY(Observe(built, evaluation));
    if (task.policy.hidden_sizes != record::HiddenSizes::kOff &&
        evaluation->verdict == Verdict::kCorrect)
      TryHiddenSizes(built, evaluation);
    if (!evaluation->trials.empty()) ListChecks(evaluation);
    return base::Ok();
  }

  // Whether it is looked at what runs, in a process of its own.
  static bool Looks(const record::Policy& policy) {
    return policy.profile || policy.provenance != record::ProvenanceRule::kOff;
  }
  static void LookAtNothing(record::Policy* policy) {
    policy->profile = false;
    policy->provenance = record::ProvenanceRule::kOff;
  }

  // For a process of its own after the verdict: public trials alone.
  static record::Policy Untimed(record::Policy policy, int64_t trials) {
    policy.public_trials = trials;
    policy.min_timed_trials = policy.max_timed_trials = 0;
    policy.distributions = false;
    return policy;
  }

  // Once more at sizes that nobody was shown, each in a process of its own.
  // That of ours may fail there without harm to the verdict.
  void TryHiddenSizes(const Built& built, Evaluation* evaluation) {
    record::Outside& outside = evaluation->outside
                                   ? *evaluation->outside
                                   : evaluation->outside.emplace();
    if (built.task.problem.hidden.empty())
      outside.no_sizes =
          "no dimension is known that the inputs alone determine";
    for (const record::HiddenSize& size : built.task.problem.hidden) {
      told_->Step(built.index, "trying " + size.name);
      auto tried = TryHiddenSize(built, size);
      if (!tried) StartOver(true);
      outside.sizes.push_back(
          tried ? std::move(*tried)
                : record::Outside::Case{size.name,
                                        record::Outside::Outcome::kLeftOut,
                                        tried.error().message()});
    }
    DecideSizes(evaluation);
  }

  // An Error means that the oracle failed.
  Result<record::Outside::Case> TryHiddenSize(const Built& built,
                                              const record::HiddenSize& size) {
    using Outcome = record::Outside::Outcome;
    Built hidden = built;
    hidden.task.problem.source = size.source;
    record::Policy& policy = hidden.task.policy;
    policy = Untimed(policy, 2);
    LookAtNothing(&policy);
    runner_.End(built.index);
    const Opened opened = runner_.Open(hidden.task, [](const std::string&) {});
    if (!opened.problem && opened.reference_failed)
      return record::Outside::Case{
          size.name, Outcome::kLeftOut,
          std::string(base::LastLine(opened.problem.error().message()))};
    KB_TRY(opened.problem);
    KB_TRY(runner_.Launch(hidden, 1));
    KB_TRY(runner_.Prepare(hidden, policy, 0));
    KB_ASSIGN(const lane::TurnResult seen, RunTurn({}, policy, hidden));
    if (seen.judgement.status == record::Judgement::Status::kOk)
      return record::Outside::Case{size.name, Outcome::kRight, ""};
    const Decision decision = Decide(seen.judgement, seen.exit, policy);
    const bool ours = decision.verdict == Verdict::kInfraError;
    return record::Outside::Case{
        size.name, ours ? Outcome::kLeftOut : Outcome::kWrong, decision.reason};
  }

  // Looks at what runs, in a process of its own: nothing is timed there.
  Result<void> Observe(const Built& built, Evaluation* evaluation) {
    const record::Policy policy = Untimed(built.task.policy, 1);
    const bool owner = policy.provenance != record::ProvenanceRule::kOff;
    if (evaluation->interpreted) {
      constexpr const char* kWhy =
          "is not known: Triton ran in its interpreter";
      if (owner) evaluation->notes.push_back(fmt::format("what ran {}", kWhy));
      if (policy.profile)
        evaluation->notes.push_back(
            fmt::format("where its time goes {}", kWhy));
      return base::Ok();
    }
    record::Turn turn;
    KB_ASSIGN(turn.process, runner_.LaunchObserved(built));
    told_->Step(built.index, "looking at what runs");
    KB_TRY(runner_.Prepare(built, policy, turn.process));
    KB_ASSIGN(const lane::TurnResult seen, RunTurn(turn, policy, built));
    if (policy.profile)
      DecideProfile(seen.judgement, seen.exit, built.task.problem, evaluation);
    if (owner) DecideProvenance(seen.judgement, seen.exit, evaluation);
    return base::Ok();
  }

  Result<void> Open(const Built& built, Evaluation* evaluation) {
    const Opened opened = runner_.Open(
        built.task,
        [&](const std::string& step) { told_->Step(built.index, step); });
    if (opened.device) device_ = evaluation->device = *opened.device;
    reference_failed_ = opened.reference_failed;
    open_group_ = opened.problem ? built.group : "";
    return opened.problem;
  }

  Result<lane::TurnResult> RunTurn(const record::Turn& turn,
                                   const record::Policy& policy,
                                   const Built& built) {
    return runner_.Judge(built, policy, turn, [&](int64_t done, int64_t of) {
      told_->Step(built.index,
                  turn.process == 0
                      ? fmt::format("trial {} of at most {}", done, of)
                      : fmt::format("process {}, trial {} of at most {}",
                                    turn.process + 1, done, of));
    });
  }

  void Conclude(const lane::TurnResult& outcome, const record::Problem& problem,
                Evaluation* evaluation) {
    const record::Judgement& judgement = outcome.judgement;
    evaluation->trials = judgement.trials;
    evaluation->mismatch = judgement.mismatch;
    evaluation->tolerance = judgement.tolerance;
    evaluation->ruler = judgement.ruler;
    if (!judgement.distributions.empty())
      evaluation->outside.emplace().distributions = judgement.distributions;
    AddNotes(judgement.notes, evaluation);
    Decision decision = Decide(judgement, outcome.exit, evaluation->policy);
    if (decision.verdict == Verdict::kCorrect)
      decision = DecideTimes(evaluation);
    doubtful_ = decision.doubtful;
    evaluation->verdict = decision.verdict;
    evaluation->log = decision.log;
    evaluation->reason =
        WithPlace(decision.reason, decision.log, evaluation->candidate.name);
    ForgiveInterpreter(problem, evaluation);
    NoteWeakness(problem, evaluation);
  }

  // Chooses the next task if one is built, and starts its jails if it can run,
  // and its reference's, as many as were needed last. What cannot be started
  // will say why at its turn.
  void LaunchNext() {
    if (!next_) next_ = built_->TryNext(number_, open_group_);
    if (!next_ || !next_->artifact ||
        !parts_.why_not_runnable(next_->task.candidate).empty())
      return;
    if (next_->artifact->status != compile::BuildStatus::kOk &&
        next_->artifact->status != compile::BuildStatus::kNothingToBuild)
      return;
    (void)runner_.Launch(*next_, processes_);
  }

  const size_t number_;
  const SessionParts& parts_;
  CandidateRunner& runner_;
  const SessionOptions& options_;
  const lane::LaneOptions& lane_;
  BuiltQueue* built_;
  Told* told_;
  std::stop_token stop_;
  std::optional<record::DeviceFacts> device_;  // once an oracle has started
  std::string open_group_;                     // what is open; empty: nothing
  bool reference_failed_ = false;
  bool doubtful_ = false;  // the last Decision was
  bool failed_ = false;    // we did, with the last task, again and again
  int faults_ = 0;         // tasks one after another with which we did
  std::string why_;        // the last time
  int64_t processes_ = 1;  // of the last candidate, about what the next needs
  std::unique_ptr<Built> next_;  // chosen, and launched if it can run
};

}  // namespace

void Told::Step(size_t index, const std::string& step) {
  const base::MutexLock lock(&mutex_);
  observer_->OnStep(index, step);
}

void Told::Done(size_t index, const Evaluation& evaluation) {
  const base::MutexLock lock(&mutex_);
  observer_->OnDone(index, evaluation);
}

void Told::Notice(const std::string& text) {
  const base::MutexLock lock(&mutex_);
  observer_->OnNotice(text);
}

Result<void> RunLane(size_t number, const SessionParts& parts,
                     const SessionOptions& options, BuiltQueue* built,
                     Told* told, std::stop_token stop) {
  return LaneLoop(number, parts, options, built, told, std::move(stop)).Run();
}

}  // namespace kb::eval
