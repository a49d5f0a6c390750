#include "eval/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/text.h"
#include "build_ahead.h"
#include "eval/decide.h"
#include "eval/join.h"
#include "lane_runner.h"
#include "obstacles.h"
#include "session_parts.h"
#include "source_check/static_check.h"
#include "timing/estimate.h"
#include "timing/floor.h"

namespace kb::eval {
namespace {

using base::Result;
using compile::Artifact;
using record::Backend;
using record::Evaluation;
using record::Verdict;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Tasks of the same open problem one after the other, in the order in which
// the problems first appear.
std::vector<size_t> OrderByProblem(const std::vector<Task>& tasks) {
  std::map<std::string, size_t> first_seen;
  std::vector<std::pair<size_t, size_t>> keyed;
  for (size_t i = 0; i < tasks.size(); ++i)
    keyed.emplace_back(first_seen.emplace(GroupOf(tasks[i]), i).first->second,
                       i);
  std::sort(keyed.begin(), keyed.end());
  std::vector<size_t> order;
  for (const auto& [group, index] : keyed) order.push_back(index);
  return order;
}

Evaluation NewEvaluation(const Task& task, const SessionOptions& options) {
  Evaluation evaluation;
  evaluation.candidate = task.candidate;
  evaluation.model = task.model;
  evaluation.sample = task.sample;
  evaluation.problem_id = task.problem.id;
  evaluation.problem_hash = task.problem.Hash();
  evaluation.size = task.problem.size;
  evaluation.precision = task.precision;
  evaluation.policy = task.policy;
  evaluation.isolation = options.isolation;
  for (const jail::Gap& gap : options.isolation_gaps)
    evaluation.notes.push_back(fmt::format(
        "isolation {} without {}: {}", options.isolation, gap.name, gap.why));
  evaluation.version = KB_VERSION;
  evaluation.started_at = base::UtcNow();
  evaluation.device.device = options.lane.device;
  return evaluation;
}

// What the verdict of a judged candidate rests on, and what nobody can see.
void ListChecks(Evaluation* evaluation) {
  int64_t open_trials = 0, secret_trials = 0;
  for (const record::Trial& trial : evaluation->trials)
    ++(trial.timed ? secret_trials : open_trials);
  evaluation->checked = {
      fmt::format("every element of every output in {} trials, {} of them with "
                  "secret inputs",
                  open_trials + secret_trials, secret_trials),
      "outputs poisoned before and compared after every call",
      "inputs unchanged by every call", "red zones around every output"};
  evaluation->unchecked = {"who wrote the kernel, and with which libraries",
                           "inputs outside the problem's distribution",
                           "races rarer than the number of trials"};
  if (evaluation->interpreted)
    evaluation->unchecked.emplace_back("time: Triton ran in its interpreter");
  else if (evaluation->device.device == "cpu")
    evaluation->unchecked.emplace_back(
        "time to the per cent: on cpu everything shares the cores");
}

void AddNotes(const std::vector<std::string>& notes, Evaluation* evaluation) {
  evaluation->notes.insert(evaluation->notes.end(), notes.begin(), notes.end());
}

class Session {
 public:
  Session(const SessionParts& parts, const SessionOptions& options,
          Observer* observer, std::stop_token stop)
      : parts_(parts),
        runner_(*parts.runner),
        options_(options),
        observer_(observer),
        stop_(std::move(stop)) {}

  Result<void> Run(TaskQueue* queue) {
    const lane::RunOn away(options_.lane.processors.others);
    BuildAhead builds(queue, parts_.build, options_.compile_jobs,
                      {[this](Built* built) { return Admit(built); },
                       [this](size_t index) { Step(index, "compiling"); }},
                      stop_);
    // The device opens while the first candidates compile.
    if (const auto first = builds.First()) runner_.StartAhead(*first);
    while (true) {
      std::unique_ptr<Built> current = std::move(next_);
      if (!current) current = builds.Next(open_group_);
      if (stop_.stop_requested()) return base::Fail("interrupted");
      if (!current) return base::Ok();
      KB_TRY(RunTask(*current, &builds));
      runner_.End(current->index);
    }
  }

 private:
  bool cuda() const { return options_.lane.device != "cpu"; }

  void Step(size_t index, const std::string& step) {
    const base::MutexLock lock(&observer_mutex_);
    observer_->OnStep(index, step);
  }

  void Done(size_t index, const Evaluation& evaluation) {
    const base::MutexLock lock(&observer_mutex_);
    observer_->OnDone(index, evaluation);
  }

  // False: it breaks the policy, or a compiler is missing, and nothing of it is
  // built or run.
  bool Admit(Built* built) {
    built->notes = built->task.notes;
    const std::string missing = parts_.why_not_built(built->task.candidate);
    if (!missing.empty()) {
      Evaluation evaluation = NewEvaluation(built->task, options_);
      evaluation.reason = missing;
      Done(built->index, evaluation);
      return false;
    }
    if (built->task.trusted) return true;
    for (const source_check::Finding& finding :
         source_check::Check(built->task.candidate, built->task.policy)) {
      if (finding.severity != source_check::Severity::kReject) {
        built->notes.push_back(
            finding.line > 0
                ? fmt::format("line {}: {}", finding.line, finding.message)
                : finding.message);
        continue;
      }
      Evaluation evaluation = NewEvaluation(built->task, options_);
      evaluation.verdict = Verdict::kRejected;
      evaluation.reason =
          fmt::format("line {}: {}", finding.line, finding.message);
      Done(built->index, evaluation);
      return false;
    }
    return true;
  }

  Result<void> RunTask(const Built& built, BuildAhead* builds) {
    const auto start = Clock::now();
    Evaluation evaluation = NewEvaluation(built.task, options_);
    AddNotes(built.notes, &evaluation);
    if (device_) evaluation.device = *device_;
    if (Compiled(built.artifact, &evaluation)) {
      const std::string obstacle =
          parts_.why_not_runnable(built.task.candidate);
      if (obstacle.empty())
        KB_TRY(JudgeWithRetry(built, builds, &evaluation));
      else
        evaluation.reason = obstacle;
    }
    evaluation.wall_seconds = evaluation.compile_seconds + SecondsSince(start);
    Done(built.index, evaluation);
    return base::Ok();
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

  // The compiler's first line that says what is wrong.
  static std::string FirstError(const std::string& log) {
    for (const char* mark : {"error:", "error :", "Error:", "undefined"})
      for (const std::string& line : base::Split(log, '\n'))
        if (line.find(mark) != std::string::npos)
          return std::string(base::Trim(line)).substr(0, 300);
    return "the compiler failed";
  }

  // Judges; when our side fails or may have failed, once more on a fresh lane.
  Result<void> JudgeWithRetry(const Built& built, BuildAhead* builds,
                              Evaluation* evaluation) {
    constexpr int kTries = 2;
    for (int attempt = 1;; ++attempt) {
      const Result<void> judged = Judge(built, builds, evaluation);
      if (stop_.stop_requested()) return base::Fail("interrupted");
      const bool ours = !judged || evaluation->verdict == Verdict::kInfraError;
      if (!ours && !doubtful_) return base::Ok();
      if (!judged) {
        evaluation->verdict = Verdict::kInfraError;
        evaluation->reason = base::Shorten(judged.error().message(), 2000);
      }
      if (reference_failed_) return base::Ok();
      if (ours || attempt < kTries) StartOver(ours);
      if (attempt == kTries) return base::Ok();
      Evaluation fresh = NewEvaluation(built.task, options_);
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

  Result<void> Judge(const Built& built, BuildAhead* builds,
                     Evaluation* evaluation) {
    const Task& task = built.task;
    doubtful_ = false;
    KB_TRY(runner_.Launch(built, processes_));
    KB_TRY(Open(built, evaluation));
    record::Policy policy = task.policy;
    evaluation->interpreted =
        !cuda() && task.candidate.backend == Backend::kTriton;
    if (evaluation->interpreted)
      policy.min_timed_trials = policy.max_timed_trials = 0;

    Step(built.index, "loading");
    KB_TRY(runner_.Prepare(built, policy, 0));
    // They touch no device, and no processor of those that are timed, before
    // their turn.
    LaunchNext(builds);
    record::Turn turn;
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
         !timing::EnoughProcesses(policy, judgement.trials, *turn.plan, cuda());
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
    Conclude(outcome, evaluation);
    return base::Ok();
  }

  Result<void> Open(const Built& built, Evaluation* evaluation) {
    const Opened opened = runner_.Open(
        built.task, [&](const std::string& step) { Step(built.index, step); });
    if (opened.device) device_ = evaluation->device = *opened.device;
    reference_failed_ = opened.reference_failed;
    open_group_ = opened.problem ? built.group : "";
    return opened.problem;
  }

  Result<lane::TurnResult> RunTurn(const record::Turn& turn,
                                   const record::Policy& policy,
                                   const Built& built) {
    return runner_.Judge(built, policy, turn, [&](int64_t done, int64_t of) {
      Step(built.index, turn.process == 0
                            ? fmt::format("trial {} of at most {}", done, of)
                            : fmt::format("process {}, trial {} of at most {}",
                                          turn.process + 1, done, of));
    });
  }

  void Conclude(const lane::TurnResult& outcome, Evaluation* evaluation) {
    const record::Judgement& judgement = outcome.judgement;
    evaluation->trials = judgement.trials;
    evaluation->mismatch = judgement.mismatch;
    evaluation->tolerance = judgement.tolerance;
    evaluation->ruler = judgement.ruler;
    AddNotes(judgement.notes, evaluation);
    Decision decision = Decide(judgement, outcome.exit, evaluation->policy);
    if (decision.verdict == Verdict::kCorrect)
      decision = DecideTimes(evaluation);
    doubtful_ = decision.doubtful;
    evaluation->verdict = decision.verdict;
    evaluation->log = decision.log;
    evaluation->reason =
        WithPlace(decision.reason, decision.log, evaluation->candidate.name);
    if (!evaluation->trials.empty()) ListChecks(evaluation);
  }

  // Chooses the next task if one is built, and starts its jails if it can run,
  // and its reference's, as many as were needed last. What cannot be started
  // will say why at its turn.
  void LaunchNext(BuildAhead* builds) {
    if (!next_) next_ = builds->TryNext(open_group_);
    if (!next_ || !next_->artifact ||
        !parts_.why_not_runnable(next_->task.candidate).empty())
      return;
    if (next_->artifact->status != compile::BuildStatus::kOk &&
        next_->artifact->status != compile::BuildStatus::kNothingToBuild)
      return;
    (void)runner_.Launch(*next_, processes_);
  }

  const SessionParts& parts_;
  CandidateRunner& runner_;
  const SessionOptions& options_;
  Observer* observer_;
  std::stop_token stop_;
  base::Mutex observer_mutex_;
  std::optional<record::DeviceFacts> device_;  // once an oracle has started
  std::string open_group_;                     // what is open; empty: nothing
  bool reference_failed_ = false;
  bool doubtful_ = false;  // the last Decision was
  int64_t processes_ = 1;  // of the last candidate, about what the next needs
  std::unique_ptr<Built> next_;  // chosen, and launched if it can run
};

// What PyTorch and nvcc call the device's architecture, from the toolchain's
// probe.
std::string ArchitectureOf(const std::string& device,
                           const compile::Toolchain& tools) {
  if (device == "cpu" || !tools.python.tool) return "cpu";
  for (const auto& each : tools.python.tool->cuda_devices)
    if (device == fmt::format("cuda:{}", each.index)) {
      std::string digits = each.capability;
      std::erase(digits, '.');
      return fmt::format("sm_{}", digits);
    }
  return "cpu";
}

}  // namespace

Result<void> RunSession(TaskQueue* queue, const SessionParts& parts,
                        const SessionOptions& options, Observer* observer,
                        std::stop_token stop) {
  return Session(parts, options, observer, std::move(stop)).Run(queue);
}

Result<void> JudgeQueue(TaskQueue* queue, const compile::Compiler& compiler,
                        const SessionOptions& options, Observer* observer,
                        std::stop_token stop) {
  const std::string arch =
      ArchitectureOf(options.lane.device, compiler.toolchain());
  LaneRunner runner(options.lane, stop);
  SessionParts parts;
  parts.build = [&](const Task& task, std::stop_token stopped) {
    return compiler.Compile(task.candidate, task.policy, arch,
                            std::move(stopped));
  };
  parts.why_not_runnable = [&](const record::Candidate& candidate) {
    return WhyNotRunnable(candidate, options.lane.device != "cpu",
                          compiler.toolchain());
  };
  parts.why_not_built = [&](const record::Candidate& candidate) {
    return WhyNotBuilt(candidate, compiler.toolchain());
  };
  parts.runner = &runner;
  return RunSession(queue, parts, options, observer, std::move(stop));
}

Result<void> JudgeAll(const std::vector<Task>& tasks,
                      const compile::Compiler& compiler,
                      const SessionOptions& options, Observer* observer,
                      std::stop_token stop) {
  TaskQueue queue;
  for (const size_t index : OrderByProblem(tasks))
    queue.Add(index, tasks[index]);
  queue.Close();
  return JudgeQueue(&queue, compiler, options, observer, std::move(stop));
}

}  // namespace kb::eval
