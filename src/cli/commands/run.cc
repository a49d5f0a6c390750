#include "commands/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/baseline.h"
#include "analysis/rulers.h"
#include "analysis/scores.h"
#include "base/json.h"
#include "base/text.h"
#include "html/html.h"
#include "models.h"
#include "os/colour.h"
#include "os/status_line.h"
#include "os/stop_on_signal.h"
#include "record/baseline.h"
#include "record/document.h"
#include "report/details.h"
#include "report/scores.h"
#include "run/baselines.h"
#include "run/files.h"
#include "run/reading.h"
#include "run/replayed.h"
#include "run/run.h"
#include "run_estimate.h"
#include "run_profile.h"
#include "run_table.h"
#include "searching.h"
#include "shared_options.h"
#include "store/writer.h"
#include "workplace/names.h"
#include "workplace/progress.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::Result;
using run::Wanted;
using workplace::Workplace;

// What the options chose, found before anything is asked.
struct Chosen {
  const RunOptions* options = nullptr;
  llm::Model model;
  std::unique_ptr<llm::Provider> provider;  // none: a dry run
  std::optional<Workplace> workplace;       // none: generate only
  PromptPlace place;
  std::string store_path;
  std::vector<Wanted> samples;  // all of the run, by index
  std::vector<std::string> names;
  std::vector<record::Request> requests;
  std::vector<std::string> baselines;  // names that scores are over
  int64_t unsupported = 0;             // problems that the precision leaves out
  int64_t most_turns = 1;              // of a sample
};

Result<std::string> StorePathFor(const RunOptions& options) {
  if (!options.judge.store.empty()) return options.judge.store;
  KB_ASSIGN(const std::string eval, run::DefaultStorePath());
  return (fs::path(eval).parent_path() /
          (run::StoreNameOf(options.model) + ".db"))
      .string();
}

// The names that scores are over; "all" is every mode.
Result<std::vector<std::string>> ExpandBaselines(
    const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string& name : asked) {
    if (name == "all") {
      KB_ASSIGN(const auto modes, eval::ParseBaselineModes({name}));
      for (const record::BaselineMode mode : modes)
        names.push_back(record::BaselineModeName(mode));
      continue;
    }
    if (const auto modes = analysis::BaselineModesOf(name); !modes)
      return base::Usage("{}, all", modes.error().message());
    names.push_back(name);
  }
  return names;
}

// Adds what is asked about a problem: of a replay all that there is, unless
// told otherwise. What was named and is not in the replay was asked for as
// well.
Result<void> AddSamples(Wanted of_all, Chosen* chosen) {
  const auto& problem = of_all.problem;
  const auto of_selections = chosen->place.pack.LimitsOf(problem->id);
  const auto own = of_selections.find(chosen->options->selection.select);
  KB_ASSIGN(const problems::Limits limits,
            LimitsOf(chosen->options->conversation, problem->id,
                     own == of_selections.end() ? nullptr : &own->second));
  of_all.turns = limits.turns;
  of_all.seconds = limits.seconds;
  chosen->most_turns = std::max(chosen->most_turns, of_all.turns);
  const auto there = chosen->provider ? chosen->provider->Answers(problem->id)
                                      : std::optional<int64_t>();
  const int64_t least = chosen->options->selection.NamesAny() ? 1 : 0;
  const int64_t wanted =
      chosen->options->samples.value_or(std::max(there.value_or(1), least));
  const int64_t answered = there ? std::min(wanted, *there) : wanted;
  for (int64_t sample = 0; sample < answered; ++sample) {
    Wanted& one = chosen->samples.emplace_back(of_all);
    one.index = chosen->samples.size() - 1;
    one.sample = sample;
    chosen->names.push_back(workplace::SampleName(problem->id, sample));
  }
  if (answered == 0 && least == 0) return base::Ok();
  const record::Size& size =
      of_all.further ? of_all.further->several : problem->size;
  chosen->requests.push_back(
      {problem->id, of_all.Hash(), chosen->model.name, size, of_all.precision,
       wanted,
       chosen->workplace ? chosen->workplace->session.lanes.front().device_name
                         : ""});
  return base::Ok();
}

// Where the command line names none. Times of a processor show little, and
// compiling for it takes minutes.
Result<void> TakeBaselines(Chosen* chosen) {
  if (!chosen->baselines.empty()) return base::Ok();
  const std::string& select = chosen->options->selection.select;
  const bool useful = chosen->workplace &&
                      chosen->workplace->device_kind == "cuda" &&
                      chosen->options->scoring.time != "wall" &&
                      !chosen->place.size.IsSeveral();
  if (useful && !chosen->options->judge.as.empty()) {
    KB_ASSIGN(chosen->baselines, ExpandBaselines({"all"}));
    std::erase(chosen->baselines, "fla");
  } else if (useful && !select.empty()) {
    KB_ASSIGN(const problems::Selection selection,
              chosen->place.pack.FindSelection(select));
    chosen->baselines = selection.baselines;
  }
  if (chosen->workplace && !workplace::HasFla(*chosen->workplace) &&
      std::erase(chosen->baselines, "fla") > 0)
    os::Note(workplace::kNoFla);
  if (chosen->baselines.empty()) chosen->baselines = {"eager"};
  return base::Ok();
}

Result<void> CheckBaselines(const Chosen& chosen) {
  const record::Size& size = chosen.place.size;
  for (const std::string& baseline : chosen.baselines)
    if (size.IsSeveral() && baseline != "eager")
      return base::Usage(
          "--baseline {}: over several sizes (--size {}) speedups are over "
          "eager alone",
          baseline, record::SizeName(size));
  return base::Ok();
}

// What --turns says of a level that is not asked about would do nothing.
Result<void> CheckTurns(const std::vector<std::string>& turns,
                        const std::vector<problems::Entry>& selected) {
  for (const std::string& item : turns) {
    const size_t sign = item.find('=');
    if (sign == std::string::npos) continue;
    const std::string of = item.substr(0, sign);
    const auto is_of = [&](const problems::Entry& entry) {
      return IsOfLevel(entry.id, of);
    };
    if (std::ranges::none_of(selected, is_of))
      return base::Usage("--turns {}: no problem of {} is selected", item, of);
  }
  return base::Ok();
}

// By name: that all layers are told says nothing of it, since it takes time.
bool AsksForProfile(const ConversationChoice& choice) {
  const auto layers = base::Split(choice.feedback, ',');
  return std::ranges::find(layers, "profile") != layers.end();
}

Result<Chosen> Choose(const RunOptions& options) {
  Chosen chosen;
  chosen.options = &options;
  if (options.judge.no_store)
    return base::Usage("--no-store: a run is kept, so that it can go on");
  // Nothing is asked and judged for a baseline that there is not.
  KB_ASSIGN(chosen.baselines, ExpandBaselines(options.baselines));
  KB_TRY(ScoringOf(options.scoring, chosen.baselines));
  KB_ASSIGN(chosen.model, ChooseModel(options));
  // To say what a paid run would cost takes no key.
  if (!options.dry_run || chosen.model.provider == llm::ProviderKind::kReplay) {
    KB_ASSIGN(chosen.provider, ConnectModel(chosen.model));
  }
  if (!options.generate_only && !options.dry_run) {
    workplace::JudgeOptions judge = options.judge;
    judge.profile |= AsksForProfile(options.conversation);
    KB_ASSIGN(chosen.workplace, workplace::SetUp(judge));
    KB_TRY(
        workplace::CheckIsolation(chosen.workplace->policy, *chosen.workplace));
    KB_ASSIGN(chosen.place, PlaceOf(*chosen.workplace));
  } else {
    KB_ASSIGN(chosen.place, PlaceOf(options.judge));
  }
  KB_TRY(TakeBaselines(&chosen));
  KB_TRY(CheckBaselines(chosen));
  KB_ASSIGN(chosen.store_path, StorePathFor(options));
  KB_ASSIGN(const std::vector<problems::Entry> entries,
            workplace::SelectedAt(chosen.place.size, chosen.place.pack,
                                  options.selection));
  for (const problems::Entry& entry : entries) {
    KB_ASSIGN(Wanted wanted, WantedAt(chosen.place, entry.id));
    if (!wanted.problem->Supports(chosen.place.precision)) {
      ++chosen.unsupported;
      continue;
    }
    KB_TRY(AddSamples(std::move(wanted), &chosen));
  }
  KB_TRY(CheckTurns(options.conversation.turns, entries));
  if (chosen.samples.empty())
    return base::Usage(
        "there is nothing to ask {}: the replay has no answer for the selected "
        "problems, or none of them runs in {}",
        chosen.model.name, record::PrecisionName(chosen.place.precision));
  return chosen;
}

// What a run must keep to when it goes on.
Result<std::map<std::string, std::string>> ManifestOf(
    const Chosen& chosen, const ChosenPrompt& prompt,
    const ChosenKnowledge& knowledge) {
  KB_ASSIGN(const std::string prompt_hash, HashOf(prompt, knowledge.hash));
  // That of all; as given where they differ.
  const record::Precision precision = prompt.writers.size() == 1
                                          ? prompt.writers.begin()->first
                                          : record::Precision::kAsGiven;
  std::map<std::string, std::string> manifest{
      {"model", chosen.model.name},
      {"settings", base::DumpJson(chosen.model.Settings())},
      {"prompt", chosen.options->prompt.prompt},
      {"prompt_hash", prompt_hash},
      {"backend", chosen.options->prompt.backend},
      {"hardware", prompt.hardware.empty() ? "none" : prompt.hardware},
      {"size", record::SizeName(chosen.place.size)},
      {"precision", record::PrecisionName(precision)}};
  if (chosen.workplace) {
    manifest["policy"] =
        base::DumpJson(record::ToJson(chosen.workplace->policy));
    manifest["device"] = chosen.place.device_name;
    manifest["isolation"] = chosen.workplace->session.isolation;
  }
  PutKnowledge(chosen.options->knowledge, knowledge.hash, &manifest);
  return manifest;
}

// What prompts show of earlier runs, which cannot be the run itself: its
// prompts would change with every answer.
Result<ChosenKnowledge> KnowledgeFor(const Chosen& chosen) {
  const KnowledgeChoice& choice = chosen.options->knowledge;
  std::error_code error;
  for (const std::string& run : choice.runs)
    if (fs::equivalent(run::RunPath(run), chosen.store_path, error))
      return base::Usage(
          "--knowledge {}: this is the store that the run writes to; name "
          "another --store",
          run);
  Problems problems;
  for (const Wanted& wanted : chosen.samples)
    if (wanted.sample == 0) problems.push_back(wanted.problem);
  return ChooseKnowledge(choice, chosen.options->prompt.backend,
                         chosen.place.pack, problems);
}

// How samples go on, and what the run must keep to for that.
struct Conversation {
  std::optional<prompt::FeedbackWriter> feedback;
  std::optional<prompt::SearchWriter> texts;
  run::ConversationPlan plan;
};

Result<void> AddConversation(const Chosen& chosen,
                             const ChosenKnowledge& knowledge,
                             Conversation* conversation, run::RunPlan* plan) {
  const ConversationChoice& choice = chosen.options->conversation;
  if (!choice.from.empty() && chosen.most_turns == 1)
    return base::Usage(
        "--from {}: the program is the first of a sample's answers, so give "
        "--turns or --search as well",
        choice.from);
  if (choice.allocation == "halving" && chosen.most_turns == 1)
    return base::Usage(
        "--allocation halving: every sample is one answer, so there is nothing "
        "to give out; give --turns or --search as well");
  // What is wrong with them is wrong with a single turn as well.
  KB_ASSIGN(conversation->feedback,
            ChooseFeedback(choice, chosen.options->prompt.backend));
  KB_ASSIGN(conversation->plan.history, HistoryOf(choice));
  if (chosen.most_turns == 1 && choice.search.empty()) return base::Ok();
  conversation->plan.feedback = &*conversation->feedback;
  plan->asking.conversation = &conversation->plan;
  plan->manifest["history"] = choice.history;
  plan->manifest["feedback"] = choice.feedback;
  plan->manifest["feedback_text"] = choice.feedback_text;
  plan->manifest["feedback_hash"] = conversation->feedback->Hash();
  return AddSearchTo(choice, chosen.samples, knowledge.held_out,
                     chosen.options->prompt.backend, &conversation->texts,
                     &conversation->plan, plan);
}

// Times of the other baselines for what was judged, into the run's store and
// the one for all runs.
Result<void> AddBaselines(const Chosen& chosen, store::Store* store,
                          const std::stop_token& stop) {
  const Workplace& workplace = *chosen.workplace;
  eval::BaselinePlan plan;
  std::set<record::BaselineMode> to_measure;
  for (const std::string& name : chosen.baselines) {
    KB_ASSIGN(const auto modes, analysis::BaselineModesOf(name));
    to_measure.insert(modes.begin(), modes.end());
  }
  to_measure.erase(record::BaselineMode::kEager);
  plan.modes.assign(to_measure.begin(), to_measure.end());
  if (plan.modes.empty()) return base::Ok();
  plan.precision = workplace.precision;
  plan.policy = workplace.policy;
  std::vector<record::Problem> problems;
  for (const Wanted& wanted : chosen.samples)
    if (wanted.sample == 0) problems.push_back(*wanted.problem);
  KB_ASSIGN(const std::string path, run::BaselineStorePath());
  KB_ASSIGN(store::Store shared, store::Store::Open(path));
  KB_ASSIGN(plan.known, shared.Baselines());
  workplace::BaselineProgress progress;
  KB_ASSIGN(const auto measured,
            run::MeasureMissing(problems, plan, workplace.compiler,
                                workplace.session, &shared, &progress, stop));
  return run::AddMissing(measured, store);
}

Result<void> PrintSummary(const Chosen& chosen) {
  KB_ASSIGN(const analysis::ScoreOptions scoring,
            ScoringOf(chosen.options->scoring, chosen.baselines));
  for (const std::string& name : chosen.baselines) {
    const auto read =
        run::ReadRuns({chosen.store_path}, chosen.place.pack, name);
    if (!read && name != chosen.baselines.front()) {
      fmt::print(stderr, "{}\n", read.error().message());
      continue;
    }
    KB_ASSIGN(const analysis::RunReading reading, read);
    if (scoring.time == analysis::Time::kWall)
      KB_TRY(analysis::CheckWallTimes(reading.entries));
    fmt::print(
        "{}", report::ScoresText(analysis::ScoreTwice(reading.entries, scoring),
                                 scoring, report::RemarksOf(reading, scoring)));
  }
  return base::Ok();
}

// Judgements that failed by us. The same command makes them anew, so that those
// of earlier calls are among these or are settled.
size_t FailedByUs(const run::RunResult& run) {
  return static_cast<size_t>(std::ranges::count(run.evaluations,
                                                record::Verdict::kInfraError,
                                                &record::Evaluation::verdict));
}

// What is left to say, and the exit code.
ExitCode Conclude(const Chosen& chosen, const run::RunResult& run) {
  if (chosen.unsupported > 0)
    fmt::print(
        stderr, "left out: {} without a way to run in {}\n",
        html::CountOf(static_cast<size_t>(chosen.unsupported), "problem"),
        record::PrecisionName(chosen.place.precision));
  const run::AskingResult& result = run.asking;
  if (result.exhausted > 0)
    fmt::print(stderr, "not in the replay: {}\n",
               html::CountOf(static_cast<size_t>(result.exhausted), "sample"));
  if (run.not_kept) return workplace::Complain(*run.not_kept);
  if (result.fatal) return workplace::Complain(*result.fatal);
  if (result.unpriced_ended_it) {
    fmt::print(stderr,
               "stopped: what {} of the answers cost is not known, so that the "
               "budget of {} USD cannot be kept; the same command with "
               "--with-unpriced goes on and counts them as 0\n",
               result.spent.unpriced, *chosen.options->budget.usd);
    return ExitCode::kNo;
  }
  if (result.budget_reached) {
    fmt::print(
        stderr,
        "stopped at the budget of {} after {}, {} tokens, {}; the same command "
        "with a larger one goes on\n",
        *result.budget_reached,
        html::CountOf(static_cast<size_t>(result.spent.answers), "answer"),
        result.spent.tokens,
        result.spent.unpriced > 0
            ? "a cost that is not known"
            : fmt::format("{:.4g} USD", result.spent.usd));
    return ExitCode::kNo;
  }
  const size_t failed = FailedByUs(run);
  if (result.open > 0)
    fmt::print(stderr, "{} got no answer; the same command asks again\n",
               html::CountOf(static_cast<size_t>(result.open), "question"));
  if (failed > 0)
    fmt::print(stderr,
               "{} not judged, a failure of ours; the same command judges "
               "again\n",
               html::CountOf(failed, "answer"));
  return result.open > 0 || failed > 0 ? ExitCode::kOurFailure
                                       : ExitCode::kDone;
}

void PrintJson(const Chosen& chosen, const run::RunResult& run,
               bool interrupted) {
  const run::AskingResult& result = run.asking;
  Json evaluations = Json::array();
  for (const record::Evaluation& evaluation : run.evaluations)
    evaluations.push_back(record::ToJson(evaluation));
  const bool complete = !interrupted && !result.fatal && result.open == 0 &&
                        !result.budget_reached && !result.unpriced_ended_it &&
                        !run.not_kept && FailedByUs(run) == 0;
  fmt::print("{}\n",
             base::DumpJson(
                 record::Document("run_result",
                                  {{"version", KB_VERSION},
                                   {"store", chosen.store_path},
                                   {"complete", complete},
                                   {"answered", result.answered},
                                   {"unanswered", result.open},
                                   {"evaluations", std::move(evaluations)}}),
                 2));
}

Result<ExitCode> Finish(const Chosen& chosen, const run::RunResult& run,
                        const std::string& summary, store::Store* store,
                        const std::stop_token& stop) {
  const bool complete = !stop.stop_requested() && !run.not_kept;
  if (chosen.workplace && complete) KB_TRY(AddBaselines(chosen, store, stop));
  const bool interrupted = stop.stop_requested() || run.not_kept;
  if (chosen.options->judge.json) {
    PrintJson(chosen, run, interrupted);
  } else if (chosen.workplace && !interrupted) {
    // First what is not complete.
    KB_TRY(PrintSummary(chosen));
    constexpr size_t kFew = 4;
    if (chosen.samples.size() <= kFew)
      for (const record::Evaluation& evaluation : run.evaluations)
        fmt::print("\n{}", report::RenderDetails(evaluation,
                                                 os::HasColour(STDOUT_FILENO)));
  } else if (!chosen.workplace) {
    fmt::print(
        "{}\nkernelbench run with the same options and store judges them\n",
        summary);
  }
  os::Note(fmt::format("kept in {}", chosen.store_path));
  const ExitCode code = Conclude(chosen, run);
  if (!stop.stop_requested() || run.not_kept || run.asking.fatal) return code;
  fmt::print(stderr, "interrupted; the same command goes on\n");
  return ExitCode::kInterrupted;
}

// Refuses a budget that nobody could keep to.
Result<void> CheckBudget(const Chosen& chosen,
                         const std::optional<llm::Price>& price) {
  const RunOptions& options = *chosen.options;
  if (!options.budget.usd || options.with_unpriced || price ||
      chosen.model.provider == llm::ProviderKind::kReplay)
    return base::Ok();
  return base::Usage(
      "--max-cost: the price of {} is not known; see kernelbench prices, set "
      "`price` in its table of models.toml, or give --with-unpriced",
      chosen.model.name);
}

// Neither asks nor judges, and keeps nothing.
Result<ExitCode> DryRun(const Chosen& chosen, const run::AskingPlan& asking) {
  // A problem's sample.
  using Key = std::tuple<std::string, std::string, int64_t>;
  std::set<Key> answered;
  Questions questions;
  double tokens = 0;
  double answers = 0;
  std::error_code error;
  if (fs::exists(chosen.store_path, error)) {
    KB_ASSIGN(const store::Store store, run::OpenRun(chosen.store_path));
    store::GenerationFilter light;
    light.with_texts = false;
    KB_ASSIGN(const auto generations, store.Generations(light));
    for (const record::Generation& generation : generations) {
      if (generation.model != chosen.model.name) continue;
      answered.emplace(generation.problem_id, generation.problem_hash,
                       generation.sample);
      tokens += static_cast<double>(generation.usage.output);
      answers += 1;
    }
  }
  questions.answered = std::ssize(answered);
  if (tokens > 0) questions.output_tokens = tokens / answers;
  for (const Wanted& wanted : chosen.samples) {
    if (answered.contains(
            Key(wanted.problem->id, wanted.Hash(), wanted.sample)))
      continue;
    KB_ASSIGN(const prompt::Prompt prompt, run::PromptFor(asking, wanted));
    ++questions.count;
    questions.bytes += prompt.system.size() + prompt.user.size();
  }
  KB_ASSIGN(auto price, PriceOf(chosen.model));
  if (chosen.model.provider == llm::ProviderKind::kReplay) price.emplace();
  fmt::print("{}", Estimate(questions, chosen.model.name, price));
  if (chosen.most_turns > 1)
    fmt::print(
        "these are first turns; up to {} more of a sample follow, whose "
        "prompts hold earlier answers as well\n",
        chosen.most_turns - 1);
  return ExitCode::kDone;
}

// The selection's policy, where the command line names none.
Result<RunOptions> WithPolicy(const RunOptions& said) {
  RunOptions options = said;
  if (options.selection.select.empty() || !options.judge.policy.empty() ||
      !options.judge.as.empty())
    return options;
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.judge.pack));
  KB_ASSIGN(const problems::Selection selection,
            pack.FindSelection(options.selection.select));
  options.judge.policy = selection.policy;
  return options;
}

Result<ExitCode> RunAll(const RunOptions& said) {
  KB_ASSIGN(const RunOptions options, WithPolicy(said));
  KB_ASSIGN(Chosen chosen, Choose(options));
  std::set<record::Precision> precisions;
  for (const Wanted& wanted : chosen.samples)
    precisions.insert(wanted.precision);
  KB_ASSIGN(const ChosenPrompt prompt,
            ChoosePrompt(options.prompt, chosen.place, precisions));
  KB_ASSIGN(const ChosenKnowledge knowledge, KnowledgeFor(chosen));
  run::RunPlan plan;
  plan.asking.model = &chosen.model;
  plan.asking.provider = chosen.provider.get();
  plan.asking.writers = &prompt.writers;
  plan.asking.knowledge = &knowledge.blocks;
  if (options.dry_run) return DryRun(chosen, plan.asking);
  KB_ASSIGN(plan.asking.price, PriceOf(chosen.model));
  plan.asking.budget = options.budget;
  plan.asking.with_unpriced = options.with_unpriced;
  KB_TRY(CheckBudget(chosen, plan.asking.price));
  plan.samples = chosen.samples;
  plan.requests = chosen.requests;
  KB_ASSIGN(plan.manifest, ManifestOf(chosen, prompt, knowledge));
  Conversation conversation;
  KB_TRY(AddConversation(chosen, knowledge, &conversation, &plan));
  if (const auto& workplace = chosen.workplace)
    plan.judging = {[&](eval::TaskQueue* queue, eval::Observer* observer,
                        std::stop_token stop) {
                      return eval::JudgeQueue(queue, workplace->compiler,
                                              workplace->session, observer,
                                              std::move(stop));
                    },
                    workplace->policy};
  KB_ASSIGN(store::Store store, store::Store::Open(chosen.store_path));
  KB_ASSIGN(const store::Writer writer, store::Writer::Take(chosen.store_path));
  KB_TRY(run::CheckReplayed(store, chosen.model, chosen.provider.get()));
  const os::StopOnSignal signals;
  RunTable table(chosen.model.name, chosen.names, chosen.workplace.has_value(),
                 chosen.most_turns > 1);
  RunProfile profile;
  KB_ASSIGN(eval::Profile* const profiled, profile.Begin(options.profile_run));
  if (chosen.workplace) chosen.workplace->session.profile = profiled;
  const auto result = run::Run(plan, &store, &table, signals.token());
  table.Close();
  Result<void> written = profile.End();
  if (!result) return base::Propagate(result.error());
  KB_ASSIGN(const ExitCode code,
            Finish(chosen, *result, table.Summary(), &store, signals.token()));
  KB_TRY(std::move(written));
  return code;
}

// What the whole run may take.
void AddBudget(Command* command, run::Budget* budget) {
  command->Add("--max-cost", &budget->usd, "USD that the whole run may cost")
      .NonNegative();
  command
      ->Add("--max-answers", &budget->answers,
            "answers that the whole run may ask for")
      .Positive();
  command
      ->Add("--max-run-tokens", &budget->tokens,
            "tokens, read and written, of the whole run")
      .Positive();
  command
      ->Add("--max-minutes", &budget->minutes,
            "ask nothing after so many minutes of this call")
      .Positive();
}

// What `generate` and `run` share.
void AddAsking(Command* command, RunOptions* options) {
  command
      ->Add("--model", &options->model,
            "a name of models.toml, or PROVIDER:MODEL, or "
            "replay:FOLDER, or \"command:PROGRAM ARG...\"")
      .Required();
  command->Add("--models", &options->models_file,
               "file of models (default: ./models.toml, then the "
               "user's, then ours)");
  AddSelection(command, &options->selection);
  command
      ->Add("--samples", &options->samples,
            "for each problem (default: 1; of a replay all that there "
            "are)")
      .Between(int64_t{1}, int64_t{100000});
  AddPromptChoice(command, &options->prompt);
  AddKnowledge(command, &options->knowledge);
  command->Add("--temperature", &options->temperature, "of sampling")
      .NonNegative();
  command->Add("--top-p", &options->top_p, "of sampling").Between(0.0, 1.0);
  command->Add("--max-tokens", &options->max_tokens, "of an answer").Positive();
  command->Add("--seed", &options->seed,
               "of sampling; sample i is asked with seed + i");
  command->Add("--reasoning-effort", &options->reasoning_effort,
               "as the provider names it: low, medium, high");
  command
      ->Add("--concurrency", &options->concurrency,
            "questions at the same time")
      .Between(int64_t{1}, int64_t{1024});
  AddBudget(command, &options->budget);
  command->AddFlag("--dry-run", &options->dry_run,
                   "ask nothing; say how many questions there are and what "
                   "they would cost");
  command->AddFlag("--with-unpriced", &options->with_unpriced,
                   "with --max-cost: go on after an answer whose cost is not "
                   "known, as if it had cost nothing");
}

}  // namespace

void AddRun(Command* program, RunOptions* options, Call* call) {
  Command* run = program->AddCommand(
      "run", "ask a model for kernels, judge them, say how good it is");
  run->Footer(
      "examples:\n  kernelbench run --model deepseek --level 1,2 --samples 8\n"
      "  kernelbench run --model openai:gpt-5 --problem level2/40\n"
      "  kernelbench run --model deepseek --level 2 --turns 10 --history "
      "best-and-last\n\nThe same "
      "command goes on where it was interrupted.\n\nexit code: 0 done, 1 "
      "stopped at the budget, 2 wrong usage, 3 questions without an answer or "
      "our failure, 130 interrupted");
  AddAsking(run, options);
  options->judge.several_devices = true;
  options->judge.several_sizes = true;
  options->judge.usual_policy = "strict";
  AddJudgeOptions(run, &options->judge);
  AddAs(run, &options->judge);
  run->Add("--baseline", &options->baselines,
           analysis::BaselineNames() +
               ", all (default: eager; with --select v3 on a GPU what "
               "it names)")
      .SplitAt(',');
  AddConversation(run, &options->conversation);
  AddSearch(run, &options->conversation);
  run->Add("--max-device-seconds", &options->budget.device_seconds,
           "ask nothing after the devices judged so long, of the whole "
           "run")
      .Positive();
  AddScoring(run, &options->scoring);
  AddProfileRun(run, &options->profile_run);
  Means(run, call, options, RunAll);
}

void AddGenerate(Command* program, RunOptions* options, Call* call) {
  Command* generate = program->AddCommand(
      "generate", "ask a model for kernels; `run` with the same store judges");
  generate->Footer(
      "example:\n  kernelbench generate --model deepseek --level 1 --samples 8 "
      "--hardware H100");
  options->generate_only = true;
  AddAsking(generate, options);
  workplace::JudgeOptions* judge = &options->judge;
  judge->usual_policy = "strict";
  AddPromptPlace(generate, judge);
  generate->Add("--store", &judge->store,
                "SQLite file that answers are added to");
  generate->AddFlag("--json", &judge->json, "print JSON for machines");
  AddQuiet(generate);
  Means(generate, call, options, RunAll);
}

}  // namespace kb::cli
