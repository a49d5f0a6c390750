#include "eval/session.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "build_ahead.h"
#include "eval/decide.h"
#include "eval/join.h"
#include "source_check/static_check.h"
#include "timing/estimate.h"

namespace kb::eval {
namespace {

using base::Result;
using compile::Artifact;
using record::Backend;
using record::Evaluation;
using record::Track;
using record::Verdict;
using Clock = std::chrono::steady_clock;

std::string UtcNow() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

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
  evaluation.version = KB_VERSION;
  evaluation.started_at = UtcNow();
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

// Why this device cannot run the candidate, empty when it can.
std::string WhyNotRunnable(const record::Candidate& candidate, bool cuda,
                           const compile::Toolchain& tools) {
  if (!cuda && candidate.backend == Backend::kCuda)
    return "compiled; CUDA code cannot run on cpu";
  if (cuda && candidate.backend == Backend::kCpp)
    return "compiled; C++ code runs on cpu only";
  const bool triton = tools.python.tool && tools.python.tool->has_triton;
  const bool numpy = tools.python.tool && tools.python.tool->has_numpy;
  if (candidate.backend == Backend::kTriton && !triton)
    return "Python has no triton; install it";
  if (candidate.backend == Backend::kTriton && !cuda && !numpy)
    return "Triton's interpreter needs numpy; install it";
  return "";
}

class Session {
 public:
  Session(const compile::Compiler& compiler, const SessionOptions& options,
          Observer* observer, std::stop_token stop)
      : compiler_(compiler),
        options_(options),
        observer_(observer),
        stop_(std::move(stop)) {}

  Result<void> Run(TaskQueue* queue) {
    const lane::RunOn away(options_.lane.processors.others);
    // The lane starts while the first candidates compile; its architecture is
    // known from the toolchain's probe.
    BuildAhead builds(queue, compiler_, Architecture(), options_.compile_jobs,
                      {[this](Built* built) { return Admit(built); },
                       [this](size_t index) { Step(index, "compiling"); }},
                      stop_);
    while (true) {
      Waiting current = std::move(next_);
      next_ = {};
      if (!current.built) current.built = builds.Next(open_group_);
      if (stop_.stop_requested()) return base::Fail("interrupted");
      if (!current.built) return base::Ok();
      KB_TRY(RunTask(std::move(current), &builds));
    }
  }

 private:
  // A task, and its jails when they were started ahead.
  struct Waiting {
    std::unique_ptr<Built> built;
    std::vector<std::unique_ptr<lane::WaitingJail>> jails;
  };

  bool cuda() const { return options_.lane.device != "cpu"; }

  std::string Architecture() const {
    if (!cuda() || !compiler_.toolchain().python.tool) return "cpu";
    for (const auto& device : compiler_.toolchain().python.tool->cuda_devices)
      if (options_.lane.device == fmt::format("cuda:{}", device.index)) {
        std::string digits = device.capability;
        std::erase(digits, '.');
        return fmt::format("sm_{}", digits);
      }
    return "cpu";
  }

  void Step(size_t index, const std::string& step) {
    const std::lock_guard lock(observer_mutex_);
    observer_->OnStep(index, step);
  }

  void Done(size_t index, const Evaluation& evaluation) {
    const std::lock_guard lock(observer_mutex_);
    observer_->OnDone(index, evaluation);
  }

  // False: it breaks the policy, and nothing of it is built or run.
  bool Admit(Built* built) {
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

  Result<void> RunTask(Waiting current, BuildAhead* builds) {
    const Built& built = *current.built;
    const auto start = Clock::now();
    Evaluation evaluation = NewEvaluation(built.task, options_);
    evaluation.notes = built.notes;
    if (lane_) evaluation.device = lane_->device();
    if (Compiled(built.artifact, &evaluation)) {
      const std::string obstacle = ObstacleTo(built.task);
      if (obstacle.empty())
        KB_TRY(JudgeOrBlameUs(&current, builds, &evaluation));
      else
        evaluation.reason = obstacle;
    }
    evaluation.wall_seconds = evaluation.compile_seconds + SecondsSince(start);
    Done(built.index, evaluation);
    return base::Ok();
  }

  std::string ObstacleTo(const Task& task) const {
    return WhyNotRunnable(task.candidate, cuda(), compiler_.toolchain());
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
    switch (answer->outcome) {
      case Artifact::Outcome::kOk:
      case Artifact::Outcome::kNothingToBuild:
        return true;
      case Artifact::Outcome::kFailed:
        evaluation->reason = FirstError(answer->log);
        break;
      case Artifact::Outcome::kTimedOut:
        evaluation->reason = fmt::format("compilation took longer than {} s",
                                         evaluation->policy.compile_seconds);
        break;
      case Artifact::Outcome::kOutOfMemory:
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

  // Judges; when our side fails, once more on a fresh lane.
  Result<void> JudgeOrBlameUs(Waiting* current, BuildAhead* builds,
                              Evaluation* evaluation) {
    constexpr int kTries = 2;
    const Built& built = *current->built;
    for (int attempt = 1;; ++attempt) {
      const Result<void> judged = Judge(current, builds, evaluation);
      if (stop_.stop_requested()) return base::Fail("interrupted");
      const bool ours = !judged || evaluation->verdict == Verdict::kInfraError;
      if (!ours) return base::Ok();
      if (!judged) {
        evaluation->verdict = Verdict::kInfraError;
        evaluation->reason = base::Shorten(judged.error().message(), 2000);
      }
      if (attempt == kTries || reference_failed_) return base::Ok();
      next_.jails.clear();
      current->jails.clear();
      if (lane_ && !lane_->alive()) lane_.reset();
      open_group_.clear();
      Evaluation fresh = NewEvaluation(built.task, options_);
      fresh.notes = built.notes;
      fresh.notes.push_back("tried again after our own failure: " +
                            evaluation->reason);
      fresh.compile_seconds = evaluation->compile_seconds;
      fresh.compile_cached = evaluation->compile_cached;
      *evaluation = std::move(fresh);
    }
  }

  Result<void> Judge(Waiting* current, BuildAhead* builds,
                     Evaluation* evaluation) {
    const Built& built = *current->built;
    const Task& task = built.task;
    const size_t index = built.index;
    reference_failed_ = false;
    KB_TRY(EnsureLane(index));
    evaluation->device = lane_->device();
    KB_TRY(EnsureProblem(index, task));
    record::Policy policy = task.policy;
    evaluation->interpreted =
        !cuda() && task.candidate.backend == Backend::kTriton;
    if (evaluation->interpreted)
      policy.min_timed_trials = policy.max_timed_trials = 0;

    Step(index, "loading");
    KB_TRY(LaunchUpTo(processes_, current));
    // They touch no device, and no processor of those that are timed, before
    // their turn.
    LaunchNext(builds);
    record::Turn turn;
    KB_ASSIGN(lane::Outcome outcome, RunTurn(turn, policy, current));
    const record::Judgement& judgement = outcome.judgement;
    const auto right = [&] {
      return judgement.status == record::Judgement::Status::kOk;
    };
    turn.plan = judgement.ruler;
    const int64_t processes = turn.plan ? turn.plan->processes : 1;
    if (right()) {
      processes_ = processes;
      KB_TRY(LaunchUpTo(processes, current));
    }
    // Public inputs have been tried; one more such call warms a process up.
    policy.public_trials = std::min<int64_t>(policy.public_trials, 1);
    for (turn.process = 1;
         right() && turn.process < processes &&
         !timing::EnoughProcesses(policy, judgement.trials, *turn.plan, cuda());
         ++turn.process) {
      KB_ASSIGN(lane::Outcome next, RunTurn(turn, policy, current));
      Join(next, turn.process, &outcome);
    }
    if (outcome.judgement.ruler)
      outcome.judgement.ruler->processes = turn.process;
    Conclude(outcome, evaluation);
    return base::Ok();
  }

  // Of both sides.
  Result<void> LaunchUpTo(int64_t processes, Waiting* waiting) {
    const Built& built = *waiting->built;
    KB_TRY(lane_->LaunchReferences(built.task.problem, built.task.policy,
                                   processes));
    while (std::ssize(waiting->jails) < processes) {
      KB_ASSIGN(auto jail,
                lane_->Launch(RequestFor(built.task, *built.artifact)));
      waiting->jails.push_back(std::move(jail));
    }
    return base::Ok();
  }

  Result<lane::Outcome> RunTurn(const record::Turn& turn,
                                const record::Policy& policy,
                                Waiting* current) {
    const Built& built = *current->built;
    auto& jail = current->jails.at(static_cast<size_t>(turn.process));
    return lane_->Judge(
        std::move(jail), built.task.candidate.track, policy, turn,
        [&](int64_t done, int64_t of) {
          Step(built.index,
               turn.process == 0
                   ? fmt::format("trial {} of at most {}", done, of)
                   : fmt::format("process {}, trial {} of at most {}",
                                 turn.process + 1, done, of));
        });
  }

  void Conclude(const lane::Outcome& outcome, Evaluation* evaluation) const {
    const record::Judgement& judgement = outcome.judgement;
    evaluation->trials = judgement.trials;
    evaluation->mismatch = judgement.mismatch;
    evaluation->tolerance = judgement.tolerance;
    evaluation->ruler = judgement.ruler;
    evaluation->notes.insert(evaluation->notes.end(), judgement.notes.begin(),
                             judgement.notes.end());
    Decision decision = Decide(judgement, outcome.exit, evaluation->policy);
    if (decision.verdict == Verdict::kCorrect)
      decision = DecideTimes(evaluation);
    evaluation->verdict = decision.verdict;
    evaluation->reason = decision.reason;
    evaluation->log = decision.log;
    if (!evaluation->trials.empty()) ListChecks(evaluation);
  }

  Result<void> EnsureLane(size_t index) {
    if (lane_) return base::Ok();
    Step(index, "starting the oracle");
    open_group_.clear();
    KB_ASSIGN(lane_, lane::Lane::Start(options_.lane, stop_));
    return base::Ok();
  }

  Result<void> EnsureProblem(size_t index, const Task& task) {
    if (open_group_ == GroupOf(task)) return base::Ok();
    Step(index, fmt::format("opening {}", task.problem.id));
    open_group_.clear();
    lane_->SetAnswerLimit(
        std::chrono::seconds(std::llround(task.policy.wall_seconds)));
    const auto opened = lane_->Open(task.problem, task.precision, task.policy);
    if (!opened) {
      reference_failed_ = lane_->alive();
      return base::Propagate(
          opened.error().Wrap("the reference of " + task.problem.id));
    }
    open_group_ = GroupOf(task);
    return base::Ok();
  }

  lane::JailRequest RequestFor(const Task& task,
                               const Artifact& artifact) const {
    lane::JailRequest request;
    request.track = task.candidate.track;
    request.name = task.candidate.name;
    request.source = task.candidate.source;
    request.policy = task.policy;
    request.entry = task.entry;
    request.mode = task.mode;
    request.binds = artifact.run_binds;
    request.env = artifact.run_env;
    if (task.candidate.track == Track::kNative) {
      request.library = artifact.path;
    } else if (artifact.outcome == Artifact::Outcome::kOk) {
      if (options_.lane.isolation == jail::Isolation::kFull)
        request.extensions = artifact.path;
      else
        request.binds.push_back({artifact.extensions_dir, "", true});
    }
    if (!cuda() && task.candidate.backend == Backend::kTriton)
      request.env["TRITON_INTERPRET"] = "1";
    return request;
  }

  // Chooses the next task if one is built, and starts its jails if it can run,
  // and its reference's, as many as were needed last. What cannot be started
  // will say why at its turn.
  void LaunchNext(BuildAhead* builds) {
    if (!next_.built) next_.built = builds->TryNext(open_group_);
    if (!next_.built || !next_.jails.empty()) return;
    const Built& built = *next_.built;
    if (!built.artifact || !ObstacleTo(built.task).empty()) return;
    if (built.artifact->outcome != Artifact::Outcome::kOk &&
        built.artifact->outcome != Artifact::Outcome::kNothingToBuild)
      return;
    (void)LaunchUpTo(processes_, &next_);
  }

  const compile::Compiler& compiler_;
  const SessionOptions& options_;
  Observer* observer_;
  std::stop_token stop_;
  std::mutex observer_mutex_;
  std::unique_ptr<lane::Lane> lane_;
  std::string open_group_;
  bool reference_failed_ = false;
  int64_t processes_ = 1;  // of the last candidate, about what the next needs
  Waiting next_;           // after lane_: its jail ends first
};

}  // namespace

Result<void> JudgeQueue(TaskQueue* queue, const compile::Compiler& compiler,
                        const SessionOptions& options, Observer* observer,
                        std::stop_token stop) {
  return Session(compiler, options, observer, std::move(stop)).Run(queue);
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
