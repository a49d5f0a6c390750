#include "commands/runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/rulers.h"
#include "base/json.h"
#include "html/html.h"
#include "os/files.h"
#include "record/document.h"
#include "run/files.h"
#include "store/merge.h"
#include "store/writer.h"
#include "workplace/names.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::Result;
using record::Outcome;

// What one store holds. Of a result of a model that was judged again the later
// one is there alone, as in scores.
struct RunSummary {
  std::string path;
  int64_t samples = 0;
  int64_t results = 0;  // of all turns, devices and policies
  std::set<std::string> problems, devices, policies;
  std::map<std::string, int64_t> verdicts;
};

// The samples of models, each once, and the files that somebody judged.
class SampleCount {
 public:
  void Add(const Outcome& outcome) {
    const Answered answered(outcome.model, outcome.problem_id,
                            outcome.problem_hash, outcome.sample);
    if (!analysis::IsOfAModel(outcome)) {
      ++files_;
    } else if (outcome.unusable) {
      unusable_.insert(answered);
    } else {
      with_code_.insert(answered);
      judged_.emplace(answered, record::SizeName(outcome.size),
                      outcome.precision);
    }
  }

  // One whose answer has no code knows neither size nor precision: it is one
  // more where no other turn of the sample has code.
  int64_t Count() const {
    return files_ + std::ssize(judged_) +
           std::ranges::count_if(unusable_, [&](const Answered& answered) {
             return !with_code_.contains(answered);
           });
  }

 private:
  // Model, problem, its hash, sample.
  using Answered = std::tuple<std::string, std::string, std::string, int64_t>;

  int64_t files_ = 0;
  std::set<std::tuple<Answered, std::string, record::Precision>> judged_;
  std::set<Answered> with_code_;
  std::set<Answered> unusable_;
};

Result<RunSummary> Summarize(const std::string& path) {
  KB_ASSIGN(const store::Store store, run::OpenRun(path));
  KB_ASSIGN(std::vector<Outcome> outcomes, store.Outcomes());
  std::vector<analysis::Entry> entries;
  for (Outcome& outcome : outcomes)
    entries.emplace_back().outcome = std::move(outcome);
  analysis::DropSuperseded(&entries);
  RunSummary summary;
  summary.path = path;
  SampleCount samples;
  for (const analysis::Entry& entry : entries) {
    const Outcome& outcome = entry.outcome;
    if (outcome.confirms) continue;
    ++summary.results;
    samples.Add(outcome);
    summary.problems.insert(outcome.problem_id);
    if (!outcome.device_name.empty())
      summary.devices.insert(outcome.device_name);
    if (!outcome.policy.empty()) summary.policies.insert(outcome.policy);
    ++summary.verdicts[outcome.unusable
                           ? record::GenerationStatusName(*outcome.unusable)
                           : workplace::NameOf(outcome.verdict)];
  }
  summary.samples = samples.Count();
  return summary;
}

Json ToJson(const RunSummary& summary) {
  return {{"path", summary.path},
          {"samples", summary.samples},
          {"problems", summary.problems.size()},
          {"devices", summary.devices},
          {"policies", summary.policies},
          {"verdicts", summary.verdicts}};
}

// The stores of a folder, by name.
Result<std::vector<std::string>> StoresIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".db" &&
        it->path().filename() != "baselines.db")
      paths.push_back(it->path());
  if (error) return base::Usage("{}: {}", folder, error.message());
  std::ranges::sort(paths);
  return paths;
}

Result<ExitCode> List(const RunsOptions& options) {
  std::string folder = options.folder;
  if (folder.empty()) {
    KB_ASSIGN(const std::string store, run::DefaultStorePath());
    folder = fs::path(store).parent_path();
  }
  KB_ASSIGN(const std::vector<std::string> paths, StoresIn(folder));
  Json list = Json::array();
  ExitCode code = ExitCode::kDone;
  for (const std::string& path : paths) {
    const auto summary = Summarize(path);
    if (!summary) {  // somebody else's database, or a broken one
      fmt::print(stderr, "kernelbench: {}\n", summary.error().message());
      code = ExitCode::kNo;
      continue;
    }
    list.push_back(ToJson(*summary));
    const auto correct = summary->verdicts.find("correct");
    if (!options.json)
      fmt::print("{:<48} {:>14} {:>12} {:>7} correct  {}\n", path,
                 html::CountOf(static_cast<size_t>(summary->samples), "sample"),
                 html::CountOf(summary->problems.size(), "problem"),
                 correct == summary->verdicts.end() ? 0 : correct->second,
                 fmt::join(summary->devices, ", "));
  }
  if (options.json)
    fmt::print("{}\n",
               base::DumpJson(record::Document("runs", {{"version", KB_VERSION},
                                                        {"folder", folder},
                                                        {"runs", list}}),
                              2));
  else
    fmt::print("{} in {}\n", html::CountOf(list.size(), "run"), folder);
  return code;
}

Result<ExitCode> Show(const RunsOptions& options) {
  KB_ASSIGN(const RunSummary summary, Summarize(options.runs.front()));
  if (options.json) {
    Json fields{{"version", KB_VERSION}};
    fields.update(ToJson(summary));
    fmt::print("{}\n", base::DumpJson(record::Document("run", fields), 2));
    return ExitCode::kDone;
  }
  fmt::print("{}\n  {} of {}\n  devices  {}\n  policies {}\n", summary.path,
             html::CountOf(static_cast<size_t>(summary.samples), "sample"),
             html::CountOf(summary.problems.size(), "problem"),
             fmt::join(summary.devices, ", "),
             fmt::join(summary.policies, ", "));
  if (summary.results > summary.samples)
    fmt::print("  {} of all turns, devices and policies\n",
               html::CountOf(static_cast<size_t>(summary.results), "result"));
  for (const auto& [verdict, count] : summary.verdicts)
    fmt::print("  {:<14} {}\n", verdict, count);
  return ExitCode::kDone;
}

// SQLite's files of a store, without the store.
Result<void> RemoveBeside(const std::string& path) {
  for (const std::string& beside : {path + "-wal", path + "-shm"}) {
    std::error_code error;
    fs::remove(beside, error);
    if (error) return base::Fail("{}: {}", beside, error.message());
  }
  return base::Ok();
}

// With what lies beside it.
Result<void> RemoveStore(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) return base::Fail("{}: {}", path, error.message());
  KB_TRY(RemoveBeside(path));
  fs::remove(store::Writer::LockPath(path), error);
  fs::remove(store::Appender::LockPath(path), error);
  return base::Ok();
}

Result<store::MergeCount> MergeAll(const std::vector<std::string>& runs,
                                   const std::string& path) {
  std::vector<store::NamedStore> stores;
  for (const std::string& run : runs) {
    KB_ASSIGN(store::Store opened, run::OpenRun(run));
    KB_TRY(opened.CheckWhole());
    stores.push_back({run, std::move(opened)});
  }
  KB_ASSIGN(store::Store merged, store::Store::Open(path));
  return store::MergeInto(stores, &merged);
}

// Several models are several runs; who merges them shall know it.
Result<void> WarnOfModels(const std::string& path) {
  KB_ASSIGN(const store::Store store, run::OpenRun(path));
  KB_ASSIGN(const std::vector<Outcome> outcomes, store.Outcomes());
  std::set<std::string> models;
  for (const Outcome& outcome : outcomes) models.insert(outcome.model);
  if (models.size() > 1)
    fmt::print(stderr,
               "kernelbench: {} holds samples of {} models ({}); kernelbench "
               "analyze scores them one by one\n",
               path, models.size(), fmt::join(models, ", "));
  return base::Ok();
}

tl::unexpected<base::Error> IsThere(const std::string& path) {
  return base::Usage("--out {}: there is something already", path);
}

// What a store of that name left beside it would be read as a part of the new
// one.
Result<void> MoveStore(const std::string& from, const std::string& to) {
  KB_TRY(RemoveBeside(to));
  KB_ASSIGN(const bool moved, os::RenameNew(from, to));
  if (!moved) return IsThere(to);
  return base::Ok();
}

// Under another name first, so that a merge that fails leaves nothing.
Result<store::MergeCount> MergeAs(const std::string& out,
                                  const std::vector<std::string>& runs) {
  const std::string part = out + ".part";
  KB_TRY(RemoveStore(part));  // of a merge that was killed
  auto count = MergeAll(runs, part);
  if (!count) {
    KB_TRY(RemoveStore(part));
    return count;
  }
  if (const auto moved = MoveStore(part, out); !moved) {
    KB_TRY(RemoveStore(part));
    return base::Propagate(moved.error());
  }
  return count;
}

// Nobody else makes a store of that name meanwhile, also no other merge.
Result<store::MergeCount> MergeAlone(const RunsOptions& options) {
  std::error_code error;
  if (fs::exists(options.out, error)) return IsThere(options.out);
  KB_ASSIGN(const store::Writer writer, store::Writer::Take(options.out));
  if (fs::exists(options.out, error)) return IsThere(options.out);
  auto count = MergeAs(options.out, options.runs);
  if (!count) fs::remove(store::Writer::LockPath(options.out), error);
  return count;
}

Result<ExitCode> Merge(const RunsOptions& options) {
  KB_ASSIGN(const store::MergeCount count, MergeAlone(options));
  KB_ASSIGN(const RunSummary merged, Summarize(options.out));
  fmt::print("{} of {} in {}\n",
             html::CountOf(static_cast<size_t>(merged.samples), "sample"),
             html::CountOf(options.runs.size(), "run"), options.out);
  if (count.twice > 0)
    fmt::print("{} were in several of them, and are there once\n", count.twice);
  if (!count.differing.empty())
    fmt::print(stderr,
               "kernelbench: the runs differ in {}, which {} says nothing of\n",
               fmt::join(count.differing, ", "), options.out);
  KB_TRY(WarnOfModels(options.out));
  return ExitCode::kDone;
}

Result<ExitCode> Delete(const RunsOptions& options) {
  // Nobody writes meanwhile.
  std::vector<store::Writer> writers;
  std::vector<store::Appender> appenders;
  for (const std::string& run : options.runs) {
    KB_TRY(run::OpenRun(run));
    KB_ASSIGN(store::Writer writer, store::Writer::Take(run::RunPath(run)));
    writers.push_back(std::move(writer));
    KB_ASSIGN(store::Appender none,
              store::Appender::Exclude(run::RunPath(run)));
    appenders.push_back(std::move(none));
  }
  if (!options.yes)
    return base::Usage("{} would be deleted for good; say --yes",
                       fmt::join(options.runs, ", "));
  for (const std::string& run : options.runs) {
    const std::string path = run::RunPath(run);
    KB_TRY(RemoveStore(path));
    fmt::print("deleted {}\n", path);
  }
  return ExitCode::kDone;
}

}  // namespace

void AddRuns(Command* program, RunsOptions* options, Call* call) {
  Command* runs = program->AddCommand("runs", "the stores of judged samples");
  runs->NeedCommand(1, 1);
  Command* list = runs->AddCommand("list", "all stores of a folder");
  list->Add("folder", &options->folder,
            "default: where eval keeps its results");
  Command* show = runs->AddCommand("show", "what one store holds");
  Command* merge = runs->AddCommand("merge", "several stores as a new one");
  merge->Add("--out", &options->out, "new file").Required();
  Command* remove = runs->AddCommand("delete", "remove stores");
  remove->AddFlag("--yes", &options->yes, "do it");
  for (Command* command : {show, merge, remove})
    command->Add("run", &options->runs, "stores (--store)").Required();
  show->Get("run").Expect(1);
  merge->Footer("example:\n  kernelbench runs merge a.db b.db --out all.db");
  for (Command* command : {list, show})
    command->AddFlag("--json", &options->json, "print JSON for machines");
  Means(list, call, options, List);
  Means(show, call, options, Show);
  Means(merge, call, options, Merge);
  Means(remove, call, options, Delete);
}

}  // namespace kb::cli
