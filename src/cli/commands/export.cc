#include "commands/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "commands/export_tables.h"
#include "interop/export_facts.h"
#include "interop/original.h"
#include "os/files.h"
#include "run/files.h"
#include "run/reading.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::Result;
using record::Evaluation;

// The candidates' sources as the original names them.
Result<void> WriteKernels(const std::vector<Evaluation>& evaluations,
                          const std::string& level, const std::string& folder) {
  for (const auto& [problem, samples] : interop::SamplesOf(evaluations)) {
    const std::vector<int64_t> numbers = interop::SampleNumbers(samples);
    for (size_t i = 0; i < samples.size(); ++i) {
      const record::Candidate& candidate = samples[i]->candidate;
      if (candidate.source.empty()) continue;
      const std::string extension = fs::path(candidate.name).extension();
      const std::string name =
          interop::KernelFile(level, problem, numbers[i], extension);
      KB_TRY(os::WriteFileAtomically((fs::path(folder) / name).string(),
                                     candidate.source));
    }
  }
  return base::Ok();
}

// What identifies a sample among those of a store.
using SampleKey = std::tuple<std::string, std::string, std::string, int64_t>;

// The policy of this name: that which a run was begun with, or one of ours.
record::Policy PolicyOf(const std::map<std::string, std::string>& manifest,
                        const std::string& name) {
  if (const auto begun = run::BegunPolicy(manifest);
      begun && *begun && (*begun)->name == name)
    return **begun;
  record::Policy policy = record::NamedPolicy(name).value_or(record::Policy{});
  if (!name.empty()) policy.name = name;
  return policy;
}

// As what a sample without a result is exported. What may yet be judged has
// failed by our own fault until then.
Evaluation WithoutResult(const analysis::Entry& entry, record::Policy policy) {
  using analysis::Missing;
  const record::Outcome& outcome = entry.outcome;
  Evaluation evaluation;
  evaluation.problem_id = outcome.problem_id;
  evaluation.problem_hash = outcome.problem_hash;
  evaluation.model = outcome.model;
  evaluation.sample = outcome.sample;
  evaluation.size = outcome.size;
  evaluation.precision = outcome.precision;
  evaluation.policy = std::move(policy);
  const bool open = entry.missing == Missing::kNotAsked ||
                    entry.missing == Missing::kNotJudged;
  evaluation.verdict =
      open ? record::Verdict::kInfraError : record::Verdict::kCompileError;
  evaluation.reason = entry.missing ? analysis::MissingName(*entry.missing)
                      : outcome.unusable
                          ? record::GenerationStatusName(*outcome.unusable)
                          : "";
  return evaluation;
}

// Answers without a candidate and samples without an answer: an export without
// them would score better than the run. A sample that has a result on another
// device, or of another turn, has one.
void AddWithoutResult(const ExportOptions& options, const problems::Pack& pack,
                      std::vector<Evaluation>* all) {
  const auto reading = run::ReadRuns({options.run}, pack, "eager");
  if (!reading) {
    fmt::print(stderr,
               "kernelbench: without the samples that have no result: {}\n",
               reading.error().message());
    return;
  }
  std::set<SampleKey> seen;
  std::map<std::string, record::Policy> policies;
  for (const Evaluation& evaluation : *all) {
    seen.emplace(evaluation.model, evaluation.problem_id,
                 evaluation.problem_hash, evaluation.sample);
    policies.emplace(evaluation.policy.name, evaluation.policy);
  }
  for (const analysis::Entry& entry : reading->entries) {
    const record::Outcome& outcome = entry.outcome;
    if (!entry.missing && !outcome.unusable) continue;
    if (!seen.emplace(outcome.model, outcome.problem_id, outcome.problem_hash,
                      outcome.sample)
             .second)
      continue;
    const auto policy = policies.find(outcome.policy);
    all->push_back(WithoutResult(
        entry, policy != policies.end()
                   ? policy->second
                   : PolicyOf(reading->manifests.front(), outcome.policy)));
  }
}

// The store's times of eager for the level's problems that no candidate was
// timed beside, of the run's devices, sizes and precisions. What was measured
// beside another mode will do.
void AddEager(const std::vector<record::Baseline>& baselines,
              const std::vector<Evaluation>& evaluations,
              const std::string& level,
              const std::map<int64_t, std::string>& names, Json* times) {
  using Place = std::tuple<std::string, record::Size, record::Precision>;
  std::set<Place> places;
  for (const Evaluation& evaluation : evaluations)
    places.emplace(evaluation.device.name, evaluation.size,
                   evaluation.precision);
  using Rank = std::pair<int64_t, bool>;  // its ruler, and whether of eager
  std::map<std::string, std::pair<Rank, Json>> best;
  for (record::Baseline baseline : baselines) {
    if (run::LevelOf(baseline.problem_id) != level ||
        !places.contains(
            {baseline.device.name, baseline.size, baseline.precision}))
      continue;
    const bool is_eager = baseline.mode == record::BaselineMode::kEager;
    if (!is_eager) baseline.time = baseline.eager;
    auto entry = interop::BaselineEntry(baseline, names);
    if (!entry || times->contains(entry->first)) continue;
    auto& [rank, json] = best[entry->first];
    if (Rank(baseline.ruler, is_eager) < rank) continue;
    rank = Rank(baseline.ruler, is_eager);
    json = std::move(entry->second);
  }
  for (auto& [file, found] : best) (*times)[file] = std::move(found.second);
}

// The original's analysis does not count a problem that has no baseline.
void SayWithoutBaseline(const ExportOptions& options,
                        const problems::Pack& pack, const Json& baseline) {
  for (const auto& [level, times] : baseline.items()) {
    const auto names = run::FileNames(pack, level);
    const auto missing = std::ranges::count_if(
        names, [&](const auto& name) { return !times.contains(name.second); });
    if (missing == 0) continue;
    fmt::print(
        stderr,
        "kernelbench: baseline_time_torch.json has no time of {} of the {} "
        "problems of {}, and KernelBench's script leaves these out of n: its "
        "scores are of the others alone. To fill it, kernelbench baseline "
        "--level {} --mode eager --store {} on the run's device, and export "
        "again\n",
        missing, names.size(), level, level, run::RunPath(options.run));
  }
}

Result<ExitCode> Run(const ExportOptions& options) {
  if (options.format == "jsonl" || options.format == "parquet")
    return ExportTables(options);
  if (options.format != "kernelbench")
    return base::Usage("--format {}: use kernelbench, jsonl or parquet",
                       options.format);
  KB_ASSIGN(const store::Store store, run::OpenRun(options.run));
  KB_TRY(run::CheckOutIsNew(options.out));
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(std::vector<Evaluation> all, store.Evaluations());
  run::KeepBestTurns(&all);
  AddWithoutResult(options, pack, &all);
  // The original's run is of one model and one level.
  std::map<std::pair<std::string, std::string>, std::vector<Evaluation>> runs;
  std::set<std::string> models;
  for (Evaluation& evaluation : all) {
    models.insert(evaluation.model);
    runs[{evaluation.model, run::LevelOf(evaluation.problem_id)}].push_back(
        std::move(evaluation));
  }
  KB_ASSIGN(std::vector<record::Baseline> baselines, store.Baselines());
  Json baseline = Json::object();
  const std::string run = fs::path(options.run).stem();
  for (const auto& [key, evaluations] : runs) {
    const auto& [model, level] = key;
    std::string name = run;
    if (models.size() > 1) name += "_" + run::StoreNameOf(model);
    name += "_" + level;
    std::ranges::replace(name, '/', '_');
    const std::string folder = (fs::path(options.out) / "runs" / name).string();
    KB_TRY(os::MakeDirectories(folder));
    KB_TRY(os::WriteFileAtomically(
        folder + "/eval_results.json",
        base::DumpJson(interop::EvalResults(evaluations), 4)));
    KB_TRY(os::WriteFileAtomically(
        fmt::format("{}/{}", folder, interop::kExportFactsFile),
        base::DumpJson(interop::ExportFactsOf(evaluations, level), 1)));
    KB_TRY(WriteKernels(evaluations, level, folder));
    if (!baseline.contains(level)) baseline[level] = Json::object();
    baseline[level].update(
        interop::Baseline(evaluations, run::FileNames(pack, level)));
    fmt::print("{}\n", folder);
  }
  for (const auto& [key, evaluations] : runs)
    AddEager(baselines, evaluations, key.second,
             run::FileNames(pack, key.second), &baseline[key.second]);
  SayWithoutBaseline(options, pack, baseline);
  const std::string timing =
      (fs::path(options.out) / "results/timing/this").string();
  KB_TRY(os::MakeDirectories(timing));
  KB_TRY(os::WriteFileAtomically(timing + "/baseline_time_torch.json",
                                 base::DumpJson(baseline, 4)));
  fmt::print("{}/baseline_time_torch.json\n", timing);
  // Eager's file is the one above.
  std::erase_if(baselines, [](const record::Baseline& measured) {
    return measured.mode == record::BaselineMode::kEager;
  });
  KB_ASSIGN(const auto written,
            run::WriteOriginalBaselines(baselines, pack, timing));
  for (const std::string& file : written) fmt::print("{}\n", file);
  return ExitCode::kDone;
}

}  // namespace

void AddExport(Command* program, ExportOptions* options, Call* call) {
  Command* command = program->AddCommand(
      "export", "a run as the original's scripts read it, or as tables");
  command->Footer(
      "examples:\n  kernelbench export run.db --out original\n  kernelbench "
      "export run.db --format parquet --out tables\n\nkernelbench: writes "
      "runs/NAME_LEVEL/eval_results.json with the kernels, and "
      "results/timing/this/baseline_time_torch.json\njsonl, parquet: writes "
      "results, problems and candidates, one file each (kernelbench schema "
      "dataset_result)");
  command->Add("run", &options->run, "a store (--store)").Required();
  command->Add("--format", &options->format, "kernelbench, jsonl or parquet")
      .ShowDefault();
  command->Add("--out", &options->out, "new folder").Required();
  command->Add("--pack", &options->pack,
               "where the problems' file names come from");
  Means(command, call, options, Run);
}

}  // namespace kb::cli
