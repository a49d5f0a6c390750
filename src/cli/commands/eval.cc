#include "commands/eval.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "base/json.h"
#include "candidates.h"
#include "eval/every_size.h"
#include "os/colour.h"
#include "os/status_line.h"
#include "os/stop_on_signal.h"
#include "report/details.h"
#include "run/files.h"
#include "run_profile.h"
#include "shared_options.h"
#include "task_lines.h"
#include "task_maker.h"
#include "verdicts.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;
using record::Candidate;
using workplace::Workplace;

Result<void> CheckOptions(const EvalOptions& options) {
  if (options.candidates.empty())
    return base::Usage(
        "name what to judge: kernelbench eval softmax.cu, a folder, a pattern, "
        "or - for standard input");
  if (options.judge.json && (options.watch || options.json_lines))
    return base::Usage(
        "--json prints one document at the end; --watch and --json-lines do "
        "not go with it");
  const bool standard_input =
      std::ranges::find(options.candidates, "-") != options.candidates.end();
  if (standard_input && (options.watch || options.candidates.size() > 1))
    return base::Usage("-: standard input is judged alone, and not watched");
  return base::Ok();
}

// A file as it is on the disk; none while it is away.
using Stamp = std::tuple<ino_t, off_t, time_t, long>;
std::optional<Stamp> StampOf(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Stamp{status.st_ino, status.st_size, status.st_mtim.tv_sec,
               status.st_mtim.tv_nsec};
}

// What `eval` was asked to do, on one session.
class Evaluating {
 public:
  Evaluating(const EvalOptions& options, const Workplace& workplace,
             Verdicts* verdicts)
      : options_(options),
        workplace_(workplace),
        maker_(options, workplace),
        verdicts_(verdicts),
        sizes_(verdicts) {}

  Result<void> JudgeFiles(const std::vector<Candidate>& candidates,
                          const std::stop_token& stop) {
    KB_ASSIGN(const auto tasks, maker_.For(candidates));
    for (const eval::Task& task : tasks)
      verdicts_->Expect(task, task.candidate.path);
    return eval::JudgeAll(tasks, workplace_.compiler, workplace_.session,
                          verdicts_, stop);
  }

  // Until the end of standard input.
  Result<void> JudgeLines(const std::stop_token& stop) {
    return JudgeWhatComes(stop, [this](const std::stop_token& until) {
      LineReader lines(STDIN_FILENO);
      while (const auto line = lines.Next(until)) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
        Json id;
        const auto task = TaskIn(*line, &id);
        if (task)
          Hand(*task, std::move(id), until);
        else
          verdicts_->Refuse(id, task.error().message());
      }
    });
  }

  // Until somebody stops it.
  Result<void> Watch(const std::stop_token& stop) {
    return JudgeWhatComes(stop, [this](const std::stop_token& until) {
      std::map<std::string, Stamp> judged;
      while (!until.stop_requested()) {
        JudgeSaved(&judged, until);
        constexpr std::chrono::milliseconds kPause{300};
        std::this_thread::sleep_for(kPause);
      }
    });
  }

 private:
  // `feed` hands tasks over until it returns.
  template <typename Feed>
  Result<void> JudgeWhatComes(const std::stop_token& stop, const Feed& feed) {
    std::stop_source over;
    const std::stop_callback forward(stop, [&] { over.request_stop(); });
    std::jthread feeder([&] {
      feed(over.get_token());
      sizes_.Close();
    });
    const auto judged =
        eval::JudgeQueue(sizes_.queue(), workplace_.compiler,
                         workplace_.session, &sizes_, over.get_token());
    over.request_stop();
    return judged;
  }

  Result<eval::Task> TaskIn(const std::string& line, Json* id) const {
    KB_ASSIGN(const TaskLine task, ParseTaskLine(line, id));
    return maker_.For(task);
  }

  void Hand(const eval::Task& task, Json id, const std::stop_token& stop) {
    // So many are built ahead; more would only fill the memory.
    constexpr size_t kMost = 64;
    verdicts_->WaitForRoom(kMost, stop);
    const size_t index = verdicts_->Expect(task, std::move(id));
    sizes_.Add(index, task);
  }

  // The files that are not as they were when they were judged last.
  void JudgeSaved(std::map<std::string, Stamp>* judged,
                  const std::stop_token& stop) {
    const auto paths = ExpandCandidates(options_.candidates);
    if (!paths) return;  // it is away while an editor replaces it
    for (const std::string& path : *paths) {
      const auto stamp = StampOf(path);
      const auto before = judged->find(path);
      if (!stamp || (before != judged->end() && before->second == *stamp))
        continue;
      (*judged)[path] = *stamp;
      const auto candidate = ReadCandidate(path);
      const auto tasks = candidate ? maker_.For(*candidate)
                                   : base::Propagate(candidate.error());
      if (!tasks) {
        fmt::print(stderr, "kernelbench: {}\n", tasks.error().message());
        continue;
      }
      for (const eval::Task& task : *tasks) Hand(task, path, stop);
    }
  }

  const EvalOptions& options_;
  const Workplace& workplace_;
  TaskMaker maker_;
  Verdicts* verdicts_;
  eval::EverySize sizes_;
};

Verdicts::Show ShowFor(const EvalOptions& options) {
  if (options.json_lines) return Verdicts::Show::kAsLines;
  return options.watch ? Verdicts::Show::kAtOnce : Verdicts::Show::kLater;
}

void PrintAll(const EvalOptions& options, const std::string& store,
              Verdicts* verdicts) {
  const bool colour = os::HasColour(STDOUT_FILENO);
  for (const auto& evaluation : verdicts->TakeEvaluations())
    if (evaluation)
      fmt::print("{}\n", report::RenderDetails(*evaluation, colour));
  if (verdicts->expected() > 1 && !options.watch)
    fmt::print("{}\n", verdicts->Summary());
  if (!store.empty() && !verdicts->store_error())
    os::Note(fmt::format("kept in {}", store));
}

Result<std::string> StoreFor(const EvalOptions& options) {
  if (options.judge.no_store || !options.judge.store.empty())
    return options.judge.store;
  return run::DefaultStorePath();
}

Result<ExitCode> Run(const EvalOptions& options) {
  KB_TRY(CheckOptions(options));
  const bool lines = options.json_lines && options.candidates.front() == "-";
  std::vector<Candidate> candidates;
  if (!lines) {
    KB_ASSIGN(candidates, ReadCandidates(options.candidates));
  }
  KB_ASSIGN(const std::string path, StoreFor(options));
  std::optional<store::Store> store;
  if (!path.empty()) {
    auto opened = store::Store::Open(path);
    if (!opened)
      return base::Propagate(base::Error("--store " + opened.error().message(),
                                         opened.error().kind()));
    store.emplace(std::move(*opened));
  }
  RunProfile profile;
  KB_ASSIGN(eval::Profile* const profiled, profile.Begin(options.profile_run));
  KB_ASSIGN(Workplace workplace, workplace::SetUp(options.judge));
  workplace.session.profile = profiled;
  KB_TRY(workplace::CheckIsolation(workplace.policy, workplace));
  Verdicts verdicts(ShowFor(options), store ? &*store : nullptr);
  const os::StopOnSignal signals;
  const std::stop_token stop = signals.token();
  Evaluating evaluating(options, workplace, &verdicts);
  const Result<void> judged = lines ? evaluating.JudgeLines(stop)
                              : options.watch
                                  ? evaluating.Watch(stop)
                                  : evaluating.JudgeFiles(candidates, stop);
  Result<void> written = profile.End();
  const bool interrupted = stop.stop_requested();
  if (!judged && !interrupted) return base::Propagate(judged.error());
  if (options.judge.json)
    PrintEvaluations(verdicts.TakeEvaluations(), interrupted);
  else if (!options.json_lines)
    PrintAll(options, path, &verdicts);
  KB_TRY(std::move(written));
  if (verdicts.store_error()) return base::Propagate(*verdicts.store_error());
  if (!interrupted) return verdicts.exit_code();
  if (options.watch) return ExitCode::kDone;
  fmt::print(stderr, "interrupted: {}\n", verdicts.Summary());
  return ExitCode::kInterrupted;
}

}  // namespace

void AddEval(Command* program, EvalOptions* options, Call* call) {
  Command* eval = program->AddCommand(
      "eval", "judge candidates: correct? how much faster than PyTorch?");
  eval->Footer(
      "examples:\n  kernelbench eval softmax.cu --problem level1/23\n  "
      "kernelbench eval kernels/ --json\n  kernelbench eval softmax.cu --watch"
      "\n  "
      "kernelbench eval matmul.cu --problem v3/level1/2 --size all"
      "\n\nexit code: 0 all correct, 1 not all, 2 wrong usage, 3 our failure, "
      "130 interrupted; of --watch 0");
  eval->Add("candidate", &options->candidates,
            "what to judge: .cu, .cpp and .py files, answers of models "
            "in .md and .txt files, folders, patterns, - for standard "
            "input");
  eval->AddAct(
      "--candidate",
      [options](const std::vector<std::string>& more) {
        options->candidates.insert(options->candidates.end(), more.begin(),
                                   more.end());
      },
      "the same, by name");
  eval->Add("--problem", &options->problems,
            "ids such as level1/23,level1/24: each candidate is judged "
            "on each (default: the candidate's own \"problem:\" line, "
            "or the only problem of the pack)")
      .SplitAt(',')
      .OneByOne();
  eval->AddFlag("--watch", &options->watch,
                "judge again what is saved, until Ctrl-C");
  eval->AddFlag("--json-lines", &options->json_lines,
                "print a verdict a line as it comes; with - as the candidate, "
                "standard input holds tasks as JSON lines");
  options->judge.several_devices = true;
  options->judge.several_sizes = true;
  options->judge.usual_policy = "strict";
  AddJudgeOptions(eval, &options->judge);
  AddAs(eval, &options->judge);
  AddProfileRun(eval, &options->profile_run);
  Means(eval, call, options, Run);
}

}  // namespace kb::cli
