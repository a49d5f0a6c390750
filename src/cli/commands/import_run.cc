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
#include "os/walk.h"
#include "source_check/classify.h"
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
  std::string whole = level.starts_with("level") ? level : "level" + level;
  if (facts && !level.empty() && level != facts->level && whole != facts->level)
    return base::Usage(
        "--level {}: the run is of {}, as {} in {} says; leave --level out",
        level, facts->level, interop::kExportFactsFile, options.judge.pack);
  if (facts) return facts->level;
  if (level.empty())
    return base::Usage(
        "{} is a run of KernelBench, which does not say its level: give "
        "--level 1",
        options.judge.pack);
  return whole;
}

// What the run is scored as where nobody says who wrote it.
std::string ScoredAs(const ImportOptions& options) {
  if (!options.model.empty()) return options.model;
  const fs::path folder = fs::absolute(options.judge.pack).lexically_normal();
  return folder.has_filename() ? folder.filename().string()
                               : folder.parent_path().filename().string();
}

// What our own export says of a sample, over what the original's file says.
void Restore(const interop::ExportFacts& facts, int64_t number,
             const interop::ExportFacts::Sample& sample,
             Evaluation* evaluation) {
  evaluation->problem_hash = sample.problem_hash;
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
  size_t correct = 0;
  size_t without_baseline = 0;  // of these: timed, and nothing to compare with
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
                const std::string& model, const Results& results,
                RunRead* read) {
  std::set<int64_t> seen;
  for (const interop::OriginalResult& result : results)
    seen.insert(result.problem);
  for (const problems::Entry& entry : pack.List()) {
    const auto number = interop::NumberIn(entry.id);
    if (!entry.id.starts_with(level + "/") || !number || seen.contains(*number))
      continue;
    read->evaluations.push_back(interop::MissingResult(level, *number));
    read->evaluations.back().model = model;
    ++read->missing;
  }
}

Result<void> CheckOnce(const Results& results) {
  const auto twice =
      std::ranges::adjacent_find(results, [](const auto& a, const auto& b) {
        return a.problem == b.problem && a.sample == b.sample;
      });
  if (twice == results.end()) return base::Ok();
  return base::Usage("problem {} has two results of sample {}", twice->problem,
                     twice->sample);
}

// The level must exist, and nothing in the folder may be of another one.
Result<void> CheckLevel(const problems::Pack& pack, const std::string& level,
                        const std::string& folder, const Results& results) {
  std::set<std::string> levels;
  std::set<int64_t> numbers;
  for (const problems::Entry& entry : pack.List()) {
    levels.insert(analysis::LevelOf(entry.id));
    if (analysis::LevelOf(entry.id) == level)
      numbers.insert(interop::NumberIn(entry.id).value_or(0));
  }
  if (!levels.contains(level))
    return base::Usage("there is no level {}: use one of {}", level,
                       fmt::join(levels, ", "));
  for (const interop::OriginalResult& result : results)
    if (!numbers.contains(result.problem))
      return base::Usage(
          "{}/eval_results.json has a result of problem {}, which {} does not "
          "have: give the run's level with --level",
          folder, result.problem, level);
  std::error_code error;
  fs::directory_iterator file(folder, error);
  for (; !error && file != fs::directory_iterator(); file.increment(error)) {
    const std::string name = file->path().filename();
    std::error_code gone;
    if (file->is_symlink(gone))
      return base::Usage(
          "{} has the symbolic link {}: import reads what lies in the folder "
          "itself; put the file in its place",
          folder, name);
    const std::string other = analysis::LevelOf(interop::ProblemOfKernel(name));
    if (!other.empty() && other != level)
      return base::Usage(
          "{} has {}, which is not of {}: give the run's level with --level",
          folder, name, level);
  }
  if (error) return base::Usage("{}: {}", folder, error.message());
  return base::Ok();
}

// Whether our own export wrote this result of a sample with that verdict.
bool IsOurs(const interop::OriginalResult& result,
            const std::optional<record::Verdict>& verdict) {
  using record::Verdict;
  if (!verdict || result.verdict != record::VerdictName(*verdict)) return false;
  if (result.correct != (*verdict == Verdict::kCorrect)) return false;
  // Of what does not load, older versions said that it compiles.
  return *verdict == Verdict::kLoadError ||
         result.compiled != (*verdict == Verdict::kCompileError);
}

// What was changed in eval_results.json since we wrote both files.
Result<void> CheckUnchanged(const std::string& folder,
                            const interop::ExportFacts& facts,
                            const Results& results) {
  std::set<std::pair<int64_t, int64_t>> judged;
  std::optional<std::pair<int64_t, int64_t>> changed;
  for (const interop::OriginalResult& result : results) {
    const std::pair place(result.problem, result.sample);
    judged.insert(place);
    const auto found = facts.samples.find(place);
    if (found == facts.samples.end() || !IsOurs(result, found->second.verdict))
      changed = changed.value_or(place);
  }
  for (const auto& [place, sample] : facts.samples)
    if (sample.verdict && *sample.verdict != record::Verdict::kInfraError &&
        !judged.contains(place))
      changed = changed.value_or(place);
  if (!changed) return base::Ok();
  return base::Usage(
      "{}: of problem {}, sample {} eval_results.json says something else than "
      "{}, which export wrote with it: to import what eval_results.json says "
      "now, remove {} and give --level; else export the run again",
      folder, changed->first, changed->second, interop::kExportFactsFile,
      interop::kExportFactsFile);
}

// The sample's source, which export writes with its own ending.
Result<void> ReadSource(const std::string& folder, const std::string& level,
                        const interop::OriginalResult& result,
                        Evaluation* evaluation) {
  for (const char* ending : {".py", ".cu", ".cpp", ".cc"}) {
    const std::string path =
        (fs::path(folder) /
         interop::KernelFile(level, result.problem, result.sample, ending))
            .string();
    KB_TRY(os::CheckLink(path));
    std::error_code gone;
    if (!fs::exists(path, gone)) continue;
    const auto source = os::ReadFile(path, kMaxBytes);
    if (!source) return base::Usage("{}", source.error().message());
    if (auto candidate = source_check::Classify(path, *source))
      evaluation->candidate = std::move(*candidate);
    return base::Ok();
  }
  evaluation->candidate.path =
      (fs::path(folder) / evaluation->candidate.name).string();
  return base::Ok();
}

// The run's results; of a run of the original then the problems of the level
// that it has none for.
Result<RunRead> Read(const ImportOptions& options) {
  const std::string& folder = options.judge.pack;
  KB_ASSIGN(const auto facts, FactsOf(folder));
  KB_ASSIGN(const std::string level, LevelOf(options, facts));
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(""));
  KB_ASSIGN(Results results, ResultsIn(folder));
  KB_TRY(CheckOnce(results));
  if (facts)
    KB_TRY(CheckUnchanged(folder, *facts, results));
  else
    KB_TRY(CheckLevel(pack, level, folder, results));
  KB_ASSIGN(const auto times, TimesOf(options, level));
  if (facts) AddUnjudged(*facts, &results);
  const std::string model = ScoredAs(options);
  RunRead read;
  for (const interop::OriginalResult& result : results) {
    const auto time = times.find(result.problem);
    Evaluation evaluation = interop::FromOriginal(
        result, level,
        time == times.end() ? std::nullopt : std::optional(time->second));
    evaluation.model = model;
    if (facts) {
      const auto& sample = facts->samples.at({result.problem, result.sample});
      Restore(*facts, result.sample, sample, &evaluation);
      if (options.model.empty()) evaluation.model = sample.model;
    }
    KB_TRY(ReadSource(folder, level, result, &evaluation));
    evaluation.version = KB_VERSION;
    const bool correct = evaluation.verdict == record::Verdict::kCorrect;
    read.correct += correct ? 1 : 0;
    if (correct && result.runtime_ms && !evaluation.speedup)
      ++read.without_baseline;
    read.evaluations.push_back(std::move(evaluation));
  }
  // Our own export says what the run attempted.
  if (!facts) AddMissing(pack, level, model, results, &read);
  return read;
}

// Samples that the store has would count twice.
Result<void> CheckNew(const store::Store& store, const ImportOptions& options,
                      const std::vector<Evaluation>& evaluations) {
  using Key = std::tuple<std::string, std::string, std::string, int64_t,
                         record::Size, record::Precision>;
  std::set<Key> there;
  KB_ASSIGN(const auto outcomes, store.Outcomes());
  for (const record::Outcome& o : outcomes)
    there.emplace(o.model, o.problem_id, o.problem_hash, o.sample, o.size,
                  o.precision);
  for (const Evaluation& e : evaluations)
    if (there.contains({e.model, e.problem_id, e.problem_hash, e.sample, e.size,
                        e.precision}))
      return base::Usage(
          "{} has a result of sample {} of {} by {} already: a run that is "
          "imported twice would count twice. If this is another run, name it "
          "with --model, or give another --store",
          options.judge.store, e.sample, e.problem_id,
          e.model.empty() ? "no model" : "\"" + e.model + "\"");
  return base::Ok();
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
  KB_TRY(CheckNew(store, options, read.evaluations));
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
  if (read.without_baseline > 0)
    fmt::print(
        "{} of the {} correct ones have no baseline{}: they count as correct, "
        "not as fast\n",
        read.without_baseline, read.correct,
        options.baseline.empty() ? ", as --baseline names none"
                                 : " in " + options.baseline);
  return ExitCode::kDone;
}

}  // namespace kb::cli
