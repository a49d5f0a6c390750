#include "run/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>
#include <tuple>

#include "analysis/scores.h"
#include "asking.h"
#include "base/hash.h"
#include "base/json.h"
#include "os/stop_on_signal.h"
#include "report/details.h"
#include "report/scores.h"
#include "run/files.h"
#include "run/models.h"
#include "run/reading.h"
#include "source_check/classify.h"
#include "store/writer.h"
#include "table.h"
#include "workplace/baselines.h"
#include "workplace/names.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::run {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::Result;
using record::Generation;
using record::GenerationStatus;
using workplace::Workplace;

// A problem's sample.
using Key = std::tuple<std::string, std::string, int64_t>;

// All that a run needs, found before anything is asked.
struct RunPlan {
  const RunOptions* options = nullptr;
  llm::Model model;
  std::unique_ptr<llm::Provider> provider;
  std::optional<Workplace> workplace;  // none: generate only
  PromptPlace place;
  std::string store_path;
  std::vector<Wanted> samples;  // all of the run, by index
  std::vector<std::string> names;
  int64_t unsupported = 0;  // problems that the precision leaves out
};

// What a sample still needs.
struct Work {
  std::vector<Wanted> ask;
  std::vector<std::pair<size_t, Generation>> judge;  // answered before
  double spent = 0;      // USD, on all answers that are there
  int64_t unpriced = 0;  // of these
};

Result<std::string> StorePathFor(const RunOptions& options) {
  if (!options.judge.store.empty()) return options.judge.store;
  KB_ASSIGN(const std::string eval, workplace::DefaultStorePath());
  return (fs::path(eval).parent_path() / (StoreNameOf(options.model) + ".db"))
      .string();
}

// How many of a problem: of a replay all that there are, unless told otherwise.
int64_t SamplesOf(const RunPlan& plan, const std::string& problem) {
  const auto there = plan.provider->Answers(problem);
  const int64_t wanted = plan.options->samples.value_or(there.value_or(1));
  return there ? std::min(wanted, *there) : wanted;
}

Result<RunPlan> Plan(const RunOptions& options) {
  RunPlan plan;
  plan.options = &options;
  if (options.judge.no_store)
    return base::Usage("--no-store: a run is kept, so that it can go on");
  // Nothing is asked and judged for a baseline that there is not.
  KB_TRY(workplace::ParseModes(options.baselines));
  KB_ASSIGN(plan.model, ChooseModel(options));
  KB_ASSIGN(plan.provider, ConnectModel(plan.model));
  if (!options.generate_only) {
    KB_ASSIGN(plan.workplace, workplace::SetUp(options.judge));
    KB_TRY(workplace::CheckIsolation(plan.workplace->policy, *plan.workplace));
    KB_ASSIGN(plan.place, PlaceOf(*plan.workplace));
  } else {
    KB_ASSIGN(plan.place, PlaceOf(options.judge));
  }
  KB_ASSIGN(plan.store_path, StorePathFor(options));
  KB_ASSIGN(const std::vector<problems::Entry> entries,
            workplace::Selected(plan.place.pack, options.selection));
  for (const problems::Entry& entry : entries) {
    KB_ASSIGN(
        record::Problem loaded,
        plan.place.pack.Load(entry.id, plan.place.size, plan.place.fit_bytes));
    if (!loaded.Supports(plan.place.precision)) {
      ++plan.unsupported;
      continue;
    }
    const auto problem =
        std::make_shared<const record::Problem>(std::move(loaded));
    const int64_t samples = SamplesOf(plan, problem->id);
    for (int64_t sample = 0; sample < samples; ++sample) {
      plan.samples.push_back({plan.samples.size(), problem, sample});
      plan.names.push_back(fmt::format("{} sample {}", problem->id, sample));
    }
  }
  if (plan.samples.empty())
    return base::Usage(
        "there is nothing to ask {}: the replay has no answer for the selected "
        "problems, or none of them runs in {}",
        plan.model.name, record::PrecisionName(plan.place.precision));
  return plan;
}

// What a run must keep to when it goes on.
Result<std::map<std::string, std::string>> ManifestOf(
    const RunPlan& plan, const prompt::Writer& writer,
    const std::string& hardware) {
  record::Problem any;  // stands for the problem's part
  any.source = "pass";
  KB_ASSIGN(const prompt::Prompt blank, writer.Write(any));
  std::map<std::string, std::string> manifest{
      {"model", plan.model.name},
      {"settings", base::DumpJson(plan.model.Settings())},
      {"prompt", plan.options->prompt.prompt},
      {"prompt_hash", base::Sha256(blank.system + blank.user).substr(0, 16)},
      {"backend", plan.options->prompt.backend},
      {"hardware", hardware.empty() ? "none" : hardware},
      {"size", record::SizeName(plan.place.size)},
      {"precision", record::PrecisionName(plan.place.precision)}};
  if (plan.workplace) {
    manifest["policy"] = base::DumpJson(record::ToJson(plan.workplace->policy));
    manifest["device"] = plan.place.device_name;
    manifest["isolation"] = plan.workplace->session.isolation;
  }
  return manifest;
}

Key KeyOf(const Wanted& wanted) {
  return {wanted.problem->id, wanted.problem->Hash(), wanted.sample};
}

// The samples that were judged for good.
Result<std::set<Key>> JudgedIn(const store::Store& store,
                               const std::string& model, RunTable* table) {
  KB_ASSIGN(const auto outcomes, store.Outcomes());
  std::set<Key> judged;
  for (const record::Outcome& outcome : outcomes) {
    // What an earlier ruler measured is no result of this run any more.
    const bool outdated =
        outcome.ruler > 0 && outcome.ruler < record::kRulerVersion;
    if (outcome.unusable || outcome.model != model || outdated ||
        outcome.verdict == record::Verdict::kInfraError)
      continue;
    if (judged.emplace(outcome.problem_id, outcome.problem_hash, outcome.sample)
            .second)
      table->AddKnownVerdict(workplace::NameOf(outcome.verdict));
  }
  return judged;
}

Result<Generation> Recorded(const store::Store& store, const Key& key) {
  store::GenerationFilter filter;
  filter.problem_id = std::get<0>(key);
  filter.sample = std::get<2>(key);
  KB_ASSIGN(const auto found, store.Generations(filter));
  for (const Generation& generation : found)
    if (generation.problem_hash == std::get<1>(key)) return generation;
  return base::Fail("the answer for {} is gone from the store",
                    std::get<0>(key));
}

Result<Work> WorkLeft(const RunPlan& plan, const store::Store& store,
                      RunTable* table) {
  KB_ASSIGN(const std::set<Key> judged,
            JudgedIn(store, plan.model.name, table));
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto generations, store.Generations(light));
  std::map<Key, GenerationStatus> answered;
  Work work;
  for (const Generation& generation : generations) {
    work.spent += generation.usd.value_or(0);
    work.unpriced += IsUnpriced(generation) ? 1 : 0;
    if (generation.model != plan.model.name) continue;
    table->AddKnown(generation);
    answered[{generation.problem_id, generation.problem_hash,
              generation.sample}] = generation.status;
  }
  for (const Wanted& wanted : plan.samples) {
    const Key key = KeyOf(wanted);
    const auto found = answered.find(key);
    if (found == answered.end()) {
      work.ask.push_back(wanted);
    } else if (plan.workplace && found->second == GenerationStatus::kComplete &&
               !judged.contains(key)) {
      KB_ASSIGN(Generation generation, Recorded(store, key));
      work.judge.emplace_back(wanted.index, std::move(generation));
    }
  }
  return work;
}

// An answer's code as a task.
Result<eval::Task> TaskOf(const RunPlan& plan, const Wanted& wanted,
                          const Generation& generation) {
  eval::Task task;
  task.problem = *wanted.problem;
  KB_ASSIGN(task.candidate, source_check::Classify(generation.candidate_name,
                                                   generation.source));
  task.precision = plan.workplace->precision;
  task.policy = task.problem.Adjusted(plan.workplace->policy, task.precision);
  task.model = plan.model.name;
  task.sample = wanted.sample;
  return task;
}

// Asks and judges at the same time until nothing is left or `stop`.
class Running {
 public:
  Running(const RunPlan& plan, const AskingPlan& asking, Work work,
          RunTable* table, std::stop_source stop)
      : plan_(plan),
        asking_(asking),
        work_(std::move(work)),
        table_(table),
        stop_(std::move(stop)) {}

  Result<AskingResult> Run() {
    for (const auto& [index, generation] : work_.judge)
      Hand(plan_.samples[index], generation);
    std::jthread asker([this] {
      result_ = AskAll(asking_, work_.ask, callbacks_, stop_.get_token());
      queue_.Close();
    });
    Result<void> judged = base::Ok();
    if (plan_.workplace)
      judged =
          eval::JudgeQueue(&queue_, plan_.workplace->compiler,
                           plan_.workplace->session, table_, stop_.get_token());
    const bool failed = !judged && !stop_.stop_requested();
    // No answer is paid for that nobody judges.
    if (failed) stop_.request_stop();
    asker.join();
    if (failed) return base::Propagate(judged.error());
    return result_;
  }

 private:
  void Hand(const Wanted& wanted, const Generation& generation) {
    if (!plan_.workplace) return;
    auto task = TaskOf(plan_, wanted, generation);
    if (task)
      queue_.Add(wanted.index, std::move(*task));
    else
      table_->OnOpen(wanted, task.error().message());
  }

  const RunPlan& plan_;
  const AskingPlan& asking_;
  Work work_;
  RunTable* table_;
  std::stop_source stop_;
  eval::TaskQueue queue_;
  AskingResult result_;
  AskingCallbacks callbacks_{
      [this](size_t index, const std::string& step) {
        table_->OnAsking(index, step);
      },
      [this](const Wanted& wanted, const Generation& generation) {
        if (!table_->OnAnswer(wanted, generation)) return false;
        if (generation.status == GenerationStatus::kComplete)
          Hand(wanted, generation);
        return true;
      },
      [this](const Wanted& wanted, const std::string& why) {
        table_->OnOpen(wanted, why);
      }};
};

// Times of the other baselines for what was judged, into the run's store and
// the one for all runs.
Result<void> AddBaselines(const RunPlan& plan, store::Store* store,
                          const std::stop_token& stop) {
  workplace::BaselinePlan baselines;
  KB_ASSIGN(baselines.modes, workplace::ParseModes(plan.options->baselines));
  std::erase(baselines.modes, record::BaselineMode::kEager);
  if (baselines.modes.empty()) return base::Ok();
  std::vector<record::Problem> problems;
  for (const Wanted& wanted : plan.samples)
    if (wanted.sample == 0) problems.push_back(*wanted.problem);
  KB_ASSIGN(const std::string path, workplace::BaselineStorePath());
  KB_ASSIGN(store::Store shared, store::Store::Open(path));
  KB_ASSIGN(const auto measured,
            workplace::MeasureBaselines(*plan.workplace, baselines, problems,
                                        &shared, stop));
  KB_ASSIGN(const auto there, store->Baselines());
  for (const record::Baseline& baseline : measured) {
    const Json json = record::ToJson(baseline);
    const auto same = [&](const record::Baseline& b) {
      return record::ToJson(b) == json;
    };
    if (std::ranges::none_of(there, same)) KB_TRY(store->Append(baseline));
  }
  return base::Ok();
}

Result<void> PrintSummary(const RunPlan& plan) {
  KB_ASSIGN(const auto modes, workplace::ParseModes(plan.options->baselines));
  for (const record::BaselineMode mode : modes) {
    const std::string name = record::BaselineModeName(mode);
    KB_ASSIGN(const analysis::RunReading reading,
              ReadRuns({plan.store_path}, plan.place.pack, name));
    analysis::ScoreOptions scoring;
    // Who names problems wants to see them.
    scoring.with_flagged = !plan.options->selection.problems.empty();
    fmt::print("{}",
               report::ScoresText(analysis::Score(reading.entries, scoring),
                                  scoring, report::RemarksOf(reading)));
  }
  return base::Ok();
}

// What is left to say, and the exit code.
int Conclude(const RunPlan& plan, const AskingResult& result,
             const RunTable& table) {
  constexpr int kNo = 1, kOurFailure = 3;
  if (plan.unsupported > 0)
    fmt::print(stderr, "{} problems do not run in {} and were left out\n",
               plan.unsupported, record::PrecisionName(plan.place.precision));
  if (result.exhausted > 0)
    fmt::print(stderr, "{} samples are not in the replay\n", result.exhausted);
  if (table.store_error()) return workplace::Complain(*table.store_error());
  if (result.fatal) return workplace::Complain(*result.fatal);
  if (result.unpriced_ended_it) {
    fmt::print(stderr,
               "stopped: what {} of the answers cost is not known, so that the "
               "budget of {} USD cannot be kept; the same command with "
               "--with-unpriced goes on and counts them as 0\n",
               result.unpriced, *plan.options->max_cost);
    return kNo;
  }
  if (result.budget_reached) {
    fmt::print(stderr,
               "stopped at the budget of {} USD; the same command with a "
               "larger --max-cost goes on\n",
               *plan.options->max_cost);
    return kNo;
  }
  if (result.open > 0) {
    fmt::print(stderr,
               "{} questions got no answer; the same command asks "
               "them again\n",
               result.open);
    return kOurFailure;
  }
  return 0;
}

void PrintJson(const RunPlan& plan, const AskingResult& result,
               const RunTable& table, bool interrupted) {
  Json evaluations = Json::array();
  for (const record::Evaluation& evaluation : table.evaluations())
    evaluations.push_back(record::ToJson(evaluation));
  const bool complete = !interrupted && !result.fatal && result.open == 0 &&
                        !result.budget_reached && !table.store_error();
  fmt::print("{}\n", base::DumpJson({{"version", KB_VERSION},
                                     {"store", plan.store_path},
                                     {"complete", complete},
                                     {"answered", result.answered},
                                     {"unanswered", result.open},
                                     {"evaluations", std::move(evaluations)}},
                                    2));
}

Result<int> Finish(const RunPlan& plan, const AskingResult& result,
                   const RunTable& table, store::Store* store,
                   const std::stop_token& stop) {
  if (plan.workplace && !stop.stop_requested())
    KB_TRY(AddBaselines(plan, store, stop));
  const bool interrupted = stop.stop_requested();
  if (plan.options->judge.json) {
    PrintJson(plan, result, table, interrupted);
  } else if (plan.workplace && !interrupted) {
    constexpr size_t kFew = 4;
    if (plan.samples.size() <= kFew)
      for (const record::Evaluation& evaluation : table.evaluations())
        fmt::print("{}\n", report::RenderDetails(evaluation,
                                                 isatty(STDOUT_FILENO) == 1));
    KB_TRY(PrintSummary(plan));
  } else if (!plan.workplace) {
    fmt::print(
        "{}\nkernelbench run with the same options and store judges them\n",
        table.Summary());
  }
  fmt::print(stderr, "kept in {}\n", plan.store_path);
  const int code = Conclude(plan, result, table);
  if (code != 0 || !interrupted) return code;
  fmt::print(stderr, "interrupted; the same command goes on\n");
  return 130;
}

Result<int> RunAll(const RunOptions& options) {
  KB_ASSIGN(RunPlan plan, Plan(options));
  KB_ASSIGN(const ChosenPrompt chosen,
            ChoosePrompt(options.prompt, plan.place));
  KB_ASSIGN(const auto manifest,
            ManifestOf(plan, chosen.writer, chosen.hardware));
  AskingPlan asking;
  asking.model = &plan.model;
  asking.provider = plan.provider.get();
  asking.writer = &chosen.writer;
  KB_ASSIGN(asking.price, PriceOf(plan.model));
  asking.max_cost = options.max_cost;
  if (options.max_cost && !options.with_unpriced && !asking.price &&
      plan.model.provider != llm::ProviderKind::kReplay)
    return base::Usage(
        "--max-cost: the price of {} is not known; see kernelbench prices, set "
        "`price` in its table of models.toml, or give --with-unpriced",
        plan.model.name);
  KB_ASSIGN(store::Store store, store::Store::Open(plan.store_path));
  KB_ASSIGN(const store::Writer writer, store::Writer::Take(plan.store_path));
  if (const auto kept = store.AddToManifest(manifest); !kept)
    return base::Propagate(kept.error().Wrap(
        "this run was begun differently; go on as it was, or name another "
        "--store"));
  const os::StopOnSignal signals;
  std::stop_source stop;
  const std::stop_callback forward(signals.token(),
                                   [&stop] { stop.request_stop(); });
  RunTable table(plan.model.name, plan.names, plan.workplace.has_value(),
                 &store, stop);
  KB_ASSIGN(Work work, WorkLeft(plan, store, &table));
  asking.spent = work.spent;
  asking.unpriced = work.unpriced;
  asking.with_unpriced = options.with_unpriced;
  Running running(plan, asking, std::move(work), &table, stop);
  const auto result = running.Run();
  table.Close();
  if (!result) return base::Propagate(result.error());
  return Finish(plan, *result, table, &store, stop.get_token());
}

}  // namespace

int Run(const RunOptions& options) {
  const Result<int> code = RunAll(options);
  return code ? *code : workplace::Complain(code.error());
}

}  // namespace kb::run
