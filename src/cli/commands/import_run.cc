#include "commands/import_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "analysis/scores.h"
#include "html/html.h"
#include "interop/export_facts.h"
#include "interop/original.h"
#include "os/files.h"
#include "store/store.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using record::Evaluation;

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

// What our own export says of the run; none: it is the original's.
Result<std::optional<interop::ExportFacts>> FactsOf(const std::string& folder) {
  const std::string path =
      (fs::path(folder) / interop::kExportFactsFile).string();
  std::error_code error;
  if (!fs::exists(path, error)) return std::optional<interop::ExportFacts>();
  KB_ASSIGN(const std::string text, os::ReadFile(path, kMaxBytes));
  auto facts = interop::ParseExportFacts(text);
  if (!facts) return base::Usage("{}: {}", path, facts.error().message());
  return std::optional(std::move(*facts));
}

Result<std::string> LevelOf(const ImportOptions& options,
                            const std::optional<interop::ExportFacts>& facts) {
  const std::string& level = options.level;
  if (level.empty() && facts) return facts->level;
  if (level.empty())
    return base::Usage(
        "{} is a run of KernelBench, which does not say its level: give "
        "--level 1",
        options.judge.pack);
  return level.starts_with("level") ? level : "level" + level;
}

// What our own export says of a sample, over what the original's file says.
void Restore(const interop::ExportFacts& facts, int64_t number,
             const interop::ExportFacts::Sample& sample,
             Evaluation* evaluation) {
  evaluation->problem_hash = sample.problem_hash;
  evaluation->model = sample.model;
  evaluation->sample = number;
  evaluation->size = sample.size;
  evaluation->precision = sample.precision;
  evaluation->verdict = sample.verdict;
  if (const auto policy = facts.policies.find(sample.policy);
      policy != facts.policies.end())
    evaluation->policy = policy->second;
  // Times that --baseline gives are what the user asks for.
  if (!evaluation->speedup) evaluation->speedup = sample.speedup;
  evaluation->wall_speedup = sample.wall_speedup;
}

Result<std::map<int64_t, double>> TimesOf(const ImportOptions& options,
                                          const std::string& level) {
  if (options.baseline.empty()) return std::map<int64_t, double>();
  const auto text = os::ReadFile(options.baseline, kMaxBytes);
  if (!text) return base::Usage("{}", text.error().message());
  auto times = interop::ParseBaseline(*text, level);
  if (!times)
    return base::Usage("{}: {}", options.baseline, times.error().message());
  return times;
}

struct RunRead {
  std::vector<Evaluation> evaluations;
  size_t missing = 0;  // of these: problems that the run has no result for
};

using Results = std::vector<interop::OriginalResult>;

Result<Results> ResultsIn(const std::string& folder) {
  KB_ASSIGN(const std::string text,
            os::ReadFile(folder + "/eval_results.json", kMaxBytes));
  auto results = interop::ParseEvalResults(text);
  if (!results)
    return base::Usage("{}/eval_results.json: {}", folder,
                       results.error().message());
  return results;
}

// Samples that our own export has and the original's file cannot have.
void AddUnjudged(const interop::ExportFacts& facts, Results* results) {
  std::set<std::pair<int64_t, int64_t>> judged;
  for (const interop::OriginalResult& result : *results)
    judged.emplace(result.problem, result.sample);
  for (const auto& [place, sample] : facts.samples) {
    if (judged.contains(place)) continue;
    interop::OriginalResult& added = results->emplace_back();
    std::tie(added.problem, added.sample) = place;
    added.error = "not judged when the run was exported";
  }
}

void AddMissing(const problems::Pack& pack, const std::string& level,
                const Results& results, RunRead* read) {
  std::set<int64_t> seen;
  for (const interop::OriginalResult& result : results)
    seen.insert(result.problem);
  for (const problems::Entry& entry : pack.List()) {
    const auto number = interop::NumberIn(entry.id);
    if (!entry.id.starts_with(level + "/") || !number || seen.contains(*number))
      continue;
    read->evaluations.push_back(interop::MissingResult(level, *number));
    ++read->missing;
  }
}

// Our own export of several models or devices has them.
Result<void> CheckOnce(const Results& results) {
  const auto twice =
      std::ranges::adjacent_find(results, [](const auto& a, const auto& b) {
        return a.problem == b.problem && a.sample == b.sample;
      });
  if (twice == results.end()) return base::Ok();
  return base::Usage("problem {} has two results of sample {}", twice->problem,
                     twice->sample);
}

Result<void> CheckLevel(const problems::Pack& pack, const std::string& level) {
  std::set<std::string> levels;
  for (const problems::Entry& entry : pack.List())
    levels.insert(analysis::LevelOf(entry.id));
  if (levels.contains(level)) return base::Ok();
  return base::Usage("there is no level {}: use one of {}", level,
                     fmt::join(levels, ", "));
}

// The run's results; of a run of the original then the problems of the level
// that it has none for.
Result<RunRead> Read(const ImportOptions& options) {
  const std::string& folder = options.judge.pack;
  KB_ASSIGN(const auto facts, FactsOf(folder));
  KB_ASSIGN(const std::string level, LevelOf(options, facts));
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(""));
  if (!facts) KB_TRY(CheckLevel(pack, level));
  KB_ASSIGN(Results results, ResultsIn(folder));
  if (!facts) KB_TRY(CheckOnce(results));
  KB_ASSIGN(const auto times, TimesOf(options, level));
  if (facts) AddUnjudged(*facts, &results);
  RunRead read;
  for (const interop::OriginalResult& result : results) {
    const auto time = times.find(result.problem);
    Evaluation evaluation = interop::FromOriginal(
        result, level,
        time == times.end() ? std::nullopt : std::optional(time->second));
    const std::pair place(result.problem, result.sample);
    if (facts && facts->samples.contains(place))
      Restore(*facts, result.sample, facts->samples.at(place), &evaluation);
    evaluation.candidate.path =
        (fs::path(folder) / evaluation.candidate.name).string();
    if (auto source = os::ReadFile(evaluation.candidate.path, kMaxBytes))
      evaluation.candidate.source = std::move(*source);
    evaluation.version = KB_VERSION;
    read.evaluations.push_back(std::move(evaluation));
  }
  // Our own export says what the run attempted.
  if (!facts) AddMissing(pack, level, results, &read);
  return read;
}

}  // namespace

bool IsOriginalRun(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::path(path) / "eval_results.json", error);
}

Result<ExitCode> ImportRun(const ImportOptions& options) {
  if (options.judge.json)
    return base::Usage(
        "--json: an import of a run prints none; kernelbench runs show STORE "
        "--json says what is there then");
  if (options.judge.store.empty())
    return base::Usage("name the store that results are added to: --store");
  KB_ASSIGN(const RunRead read, Read(options));
  KB_ASSIGN(store::Store store, store::Store::Open(options.judge.store));
  for (const Evaluation& evaluation : read.evaluations)
    KB_TRY(store.Append(evaluation));
  fmt::print(
      "{} in {}; they are as the run's owner says, not certified. See "
      "kernelbench analyze {}\n",
      html::CountOf(read.evaluations.size(), "result"), options.judge.store,
      options.judge.store);
  if (read.missing > 0)
    fmt::print(
        "of these: {} of the level that the run has no result for, which "
        "count as not compiled, as KernelBench counts them\n",
        html::CountOf(read.missing, "problem"));
  return ExitCode::kDone;
}

}  // namespace kb::cli
