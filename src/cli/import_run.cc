#include "import_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "interop/original.h"
#include "options.h"
#include "os/files.h"
#include "store/store.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using record::Evaluation;

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

Result<std::string> LevelOf(const ImportOptions& options) {
  const std::string& level = options.level;
  if (level.empty())
    return base::Usage(
        "{} is a run of KernelBench, which does not say its level: give "
        "--level 1",
        options.judge.pack);
  return level.starts_with("level") ? level : "level" + level;
}

Result<std::map<int64_t, double>> TimesOf(const ImportOptions& options,
                                          const std::string& level) {
  if (options.baseline.empty()) return std::map<int64_t, double>();
  const auto text = os::ReadFile(options.baseline, kMaxBytes);
  if (!text) return base::Usage("{}", text.error().message());
  return interop::ParseBaseline(*text, level);
}

// The run's results, then the problems of the level that it has none for.
Result<std::vector<Evaluation>> Read(const ImportOptions& options) {
  const std::string& folder = options.judge.pack;
  KB_ASSIGN(const std::string level, LevelOf(options));
  KB_ASSIGN(const std::string text,
            os::ReadFile(folder + "/eval_results.json", kMaxBytes));
  const auto results = interop::ParseEvalResults(text);
  if (!results)
    return base::Usage("{}/eval_results.json: {}", folder,
                       results.error().message());
  KB_ASSIGN(const auto times, TimesOf(options, level));
  std::vector<Evaluation> evaluations;
  std::set<int64_t> seen;
  for (const interop::OriginalResult& result : *results) {
    seen.insert(result.problem);
    const auto time = times.find(result.problem);
    Evaluation evaluation = interop::FromOriginal(
        result, level,
        time == times.end() ? std::nullopt : std::optional(time->second));
    evaluation.candidate.path =
        (fs::path(folder) / evaluation.candidate.name).string();
    if (auto source = os::ReadFile(evaluation.candidate.path, kMaxBytes))
      evaluation.candidate.source = std::move(*source);
    evaluation.version = KB_VERSION;
    evaluations.push_back(std::move(evaluation));
  }
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(""));
  for (const problems::Entry& entry : pack.List()) {
    const auto number = interop::NumberIn(entry.id);
    if (entry.id.starts_with(level + "/") && number && !seen.contains(*number))
      evaluations.push_back(interop::MissingResult(level, *number));
  }
  return evaluations;
}

Result<int> Run(const ImportOptions& options) {
  if (options.judge.store.empty())
    return base::Usage("name the store that results are added to: --store");
  KB_ASSIGN(const std::vector<Evaluation> evaluations, Read(options));
  KB_ASSIGN(store::Store store, store::Store::Open(options.judge.store));
  for (const Evaluation& evaluation : evaluations)
    KB_TRY(store.Append(evaluation));
  fmt::print(
      "{} results in {}; they are as the run's owner says, not certified. See "
      "kernelbench analyze {} --with-flagged\n",
      evaluations.size(), options.judge.store, options.judge.store);
  return 0;
}

}  // namespace

bool IsOriginalRun(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::path(path) / "eval_results.json", error);
}

int RunImportOfRun(const ImportOptions& options) {
  const Result<int> code = Run(options);
  return code ? *code : workplace::Complain(code.error());
}

}  // namespace kb::cli
