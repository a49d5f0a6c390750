#include "commands/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <filesystem>
#include <iterator>
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

// What the original's files have one of: it knows a sample by its number alone.
struct Setting {
  std::string run;  // of one device
  record::Size size;
  record::Precision precision;
  std::string policy;
  auto operator<=>(const Setting&) const = default;
};

struct Exported {
  Setting setting;
  Evaluation evaluation;
};

// The samples of a store as they are scored, one evaluation each, those
// without a result too: an export without these would score better than the
// run.
Result<std::vector<Exported>> ScoredSamples(const analysis::RunReading& reading,
                                            const store::Store& store) {
  KB_ASSIGN(auto evaluations, run::EvaluationsOf(reading.entries, store));
  std::map<std::string, record::Policy> policies;
  for (const auto& evaluation : evaluations)
    if (evaluation)
      policies.emplace(evaluation->policy.name, evaluation->policy);
  std::vector<Exported> samples;
  for (size_t i = 0; i < evaluations.size(); ++i) {
    const analysis::Entry& entry = reading.entries[i];
    const record::Outcome& outcome = entry.outcome;
    const Setting setting{entry.run, outcome.size, outcome.precision,
                          outcome.policy};
    if (evaluations[i]) {
      samples.push_back({setting, *std::move(evaluations[i])});
      continue;
    }
    const auto policy = policies.find(outcome.policy);
    samples.push_back(
        {setting, WithoutResult(entry, policy != policies.end()
                                           ? policy->second
                                           : PolicyOf(reading.manifests.front(),
                                                      outcome.policy))});
  }
  return samples;
}

// Whether a problem has samples in several settings, which one run of the
// original cannot hold.
bool AreOfSeveralSettings(const std::vector<Exported>& samples) {
  using Problem = std::tuple<std::string, std::string>;  // model, problem
  std::map<Problem, Setting> first;
  return std::ranges::any_of(samples, [&](const Exported& sample) {
    const Evaluation& e = sample.evaluation;
    const auto found =
        first.try_emplace({e.model, e.problem_id}, sample.setting).first;
    return found->second != sample.setting;
  });
}

// What sets each setting apart from the others, as a part of a file's name.
std::map<Setting, std::string> NamesOf(const std::vector<Exported>& samples,
                                       const std::string& run) {
  std::map<Setting, std::string> names;
  std::set<std::string> runs, settings, policies;
  const auto in_words = [](const Setting& s) {
    return fmt::format("_{}_{}", record::SizeName(s.size),
                       record::PrecisionName(s.precision));
  };
  for (const auto& [setting, evaluation] : samples) {
    names[setting];
    runs.insert(setting.run);
    settings.insert(in_words(setting));
    policies.insert(setting.policy);
  }
  for (auto& [setting, name] : names) {
    name = runs.size() > 1 ? run::StoreNameOf(setting.run) : run;
    if (settings.size() > 1) name += in_words(setting);
    if (policies.size() > 1) name += "_" + run::StoreNameOf(setting.policy);
  }
  return names;
}

// Those of the evaluations' devices, sizes and precisions.
std::vector<record::Baseline> MeasuredWith(
    const std::vector<Evaluation>& evaluations,
    const std::vector<record::Baseline>& all) {
  using Place = std::tuple<std::string, record::Size, record::Precision>;
  std::set<Place> places;
  for (const Evaluation& e : evaluations)
    places.emplace(e.device.name, e.size, e.precision);
  std::vector<record::Baseline> found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const auto& b) {
    return places.contains({b.device.name, b.size, b.precision});
  });
  return found;
}

// The store's times of eager for the level's problems that no candidate was
// timed beside, of the run's devices, sizes and precisions. What was measured
// beside another mode will do.
void AddEager(const std::vector<record::Baseline>& baselines,
              const std::vector<Evaluation>& evaluations,
              const std::string& level,
              const std::map<int64_t, std::string>& names, Json* times) {
  using Rank = std::pair<int64_t, bool>;  // its ruler, and whether of eager
  std::map<std::string, std::pair<Rank, Json>> best;
  for (record::Baseline baseline : MeasuredWith(evaluations, baselines)) {
    if (run::LevelOf(baseline.problem_id) != level) continue;
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

// One model's runs of the original, a folder for each level, all in one setting
// or such that no problem is in two.
struct Part {
  std::string name;    // of its runs
  std::string timing;  // of its folder of baselines
  std::vector<Evaluation> evaluations;
};

Result<void> WritePart(const ExportOptions& options, Part part,
                       const problems::Pack& pack,
                       std::vector<record::Baseline> baselines) {
  // The original's run is of one model and one level.
  std::map<std::pair<std::string, std::string>, std::vector<Evaluation>> runs;
  std::set<std::string> models;
  for (Evaluation& evaluation : part.evaluations) {
    models.insert(evaluation.model);
    runs[{evaluation.model, run::LevelOf(evaluation.problem_id)}].push_back(
        std::move(evaluation));
  }
  Json baseline = Json::object();
  for (const auto& [key, evaluations] : runs) {
    const auto& [model, level] = key;
    std::string name = part.name;
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
      (fs::path(options.out) / "results/timing" / part.timing).string();
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
  return base::Ok();
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
  KB_ASSIGN(const analysis::RunReading reading,
            run::ReadRuns({options.run}, pack, "eager"));
  KB_ASSIGN(std::vector<Exported> samples, ScoredSamples(reading, store));
  KB_ASSIGN(const std::vector<record::Baseline> baselines, store.Baselines());
  const std::string run = fs::path(options.run).stem();
  const bool several = AreOfSeveralSettings(samples);
  const auto names = NamesOf(samples, run);
  std::map<std::string, Part> parts;
  if (!several) parts.try_emplace(run, run, "this");
  for (Exported& sample : samples) {
    const std::string& name = several ? names.at(sample.setting) : run;
    Part& part = parts.try_emplace(name, name, name).first->second;
    part.evaluations.push_back(std::move(sample.evaluation));
  }
  if (several)
    fmt::print(stderr,
               "kernelbench: {} has samples in {} settings (devices, sizes, "
               "precisions or policies), each a run of its own here\n",
               options.run, parts.size());
  for (auto& [name, part] : parts) {
    auto measured =
        several ? MeasuredWith(part.evaluations, baselines) : baselines;
    KB_TRY(WritePart(options, std::move(part), pack, std::move(measured)));
  }
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
