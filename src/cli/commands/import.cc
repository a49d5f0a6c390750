#include "commands/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "auditing.h"
#include "base/json.h"
#include "base/text.h"
#include "commands/import_run.h"
#include "compile/toolchain.h"
#include "html/html.h"
#include "os/files.h"
#include "os/stop_on_signal.h"
#include "record/document.h"
#include "run/files.h"
#include "syntax.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::Result;
using problems::Issue;
using workplace::Workplace;

// What a pack holds: problems that can be used, and what is wrong with others.
struct Found {
  std::vector<problems::Entry> usable;
  std::vector<Issue> issues;
};

// What the interpreter says of sources, by the problem's id.
Result<std::map<std::string, SyntaxError>> SyntaxErrors(
    const problems::Pack& pack, const std::vector<problems::Entry>& usable) {
  KB_ASSIGN(const compile::Toolchain tools, compile::FindToolchain());
  if (!tools.python.tool)
    return base::Fail("no Python with torch >= 2.4: {}", tools.python.reason);
  std::vector<std::string> ids, sources;
  for (const problems::Entry& entry : usable) {
    KB_ASSIGN(const record::Problem problem,
              pack.Load(entry.id, record::Size::kFull));
    ids.push_back(entry.id);
    sources.push_back(problem.source);
  }
  for (const auto& [id, problem] : pack.Broken()) {
    ids.push_back(id);
    sources.push_back(problem.source);
  }
  KB_ASSIGN(const auto errors, CheckSyntax(tools.python.tool->path, sources));
  std::map<std::string, SyntaxError> by_id;
  for (size_t i = 0; i < ids.size(); ++i)
    if (errors[i]) by_id.emplace(ids[i], *errors[i]);
  return by_id;
}

// Sorts out what is no Python. What else was missed in such a source is then of
// no interest.
Result<void> DropBrokenSyntax(const problems::Pack& pack, Found* found) {
  KB_ASSIGN(const auto errors, SyntaxErrors(pack, found->usable));
  std::vector<Issue> issues;
  const auto complain = [&](const std::string& path, int row,
                            const std::string& id) {
    const SyntaxError& error = errors.at(id);
    issues.push_back(Issue::InSource(path, row, error.line,
                                     "syntax error: " + error.message, id));
  };
  for (const problems::Entry& entry : found->usable)
    if (errors.contains(entry.id)) complain(entry.path, entry.line, entry.id);
  for (const auto& [id, problem] : pack.Broken())
    if (errors.contains(id)) complain(problem.path, problem.row, id);
  const auto broken = [&](const auto& item) {
    return errors.contains(item.id);
  };
  std::erase_if(found->usable, broken);
  std::erase_if(found->issues, [&](const Issue& issue) {
    return broken(issue) && pack.Broken().contains(issue.id);
  });
  found->issues.insert(found->issues.end(), issues.begin(), issues.end());
  return base::Ok();
}

// The line of the problem's file that a traceback ends in; 0: none.
int LineIn(const std::string& traceback, const std::string& id) {
  const std::string mark = fmt::format("File \"<{}>\", line ", id);
  const size_t at = traceback.rfind(mark);
  return at == std::string::npos
             ? 0
             : std::atoi(traceback.c_str() + at + mark.size());
}

// Sorts out what does not run. True: interrupted.
Result<bool> DropFailing(const ImportOptions& options, Found* found) {
  workplace::JudgeOptions judge = options.judge;
  if (judge.size.empty()) judge.size = "full";  // others have no small one
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(judge));
  const os::StopOnSignal signals;
  const auto lines =
      AuditEntries(workplace, {false, options.jobs, options.limit},
                   found->usable, signals.token());
  found->usable.clear();
  for (const AuditLine& line : lines) {
    if (line.audit) {
      found->usable.push_back(line.entry);
    } else if (!line.error.empty()) {
      found->issues.push_back(Issue::InSource(
          line.entry.path, line.entry.line, LineIn(line.error, line.entry.id),
          fmt::format("does not run: {}", base::Gist(line.error)),
          line.entry.id));
    }
  }
  return signals.token().stop_requested();
}

// "23_Softmax.py"; names can come from anywhere.
std::string FileName(const problems::Entry& entry) {
  std::string name = entry.id.substr(entry.id.rfind('/') + 1);
  if (!entry.name.empty() && entry.name != name) name += "_" + entry.name;
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                       (c >= 'A' && c <= 'Z') || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return name + ".py";
}

Result<void> Write(const problems::Pack& pack, const Found& found,
                   const std::string& folder) {
  KB_TRY(run::CheckOutIsNew(folder));
  for (const problems::Entry& entry : found.usable) {
    KB_ASSIGN(const record::Problem problem,
              pack.Load(entry.id, record::Size::kFull));
    const size_t slash = entry.id.rfind('/');
    const std::string below =
        slash == std::string::npos
            ? folder
            : (fs::path(folder) / entry.id.substr(0, slash)).string();
    KB_TRY(os::MakeDirectories(below));
    KB_TRY(os::WriteFileAtomically((fs::path(below) / FileName(entry)).string(),
                                   problem.source));
  }
  return base::Ok();
}

void Print(const Found& found, bool json) {
  if (!json) {
    for (const Issue& issue : found.issues)
      fmt::print("{}\n", base::Printable(issue.ToString()));
    fmt::print("{} can be used, {}\n",
               html::CountOf(found.usable.size(), "problem"),
               html::CountOf(found.issues.size(), "complaint"));
    return;
  }
  Json usable = Json::array(), issues = Json::array();
  for (const problems::Entry& entry : found.usable)
    usable.push_back({{"id", entry.id},
                      {"name", entry.name},
                      {"path", entry.path},
                      {"line", entry.line},
                      {"reference", entry.reference}});
  for (const Issue& issue : found.issues)
    issues.push_back({{"path", issue.path},
                      {"line", issue.line},
                      {"id", issue.id},
                      {"message", issue.message}});
  fmt::print("{}\n",
             base::DumpJson(record::Document("import", {{"version", KB_VERSION},
                                                        {"usable", usable},
                                                        {"issues", issues}}),
                            2));
}

Result<ExitCode> Run(const ImportOptions& options) {
  if (IsOriginalRun(options.judge.pack)) return ImportRun(options);
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.judge.pack));
  Found found{pack.List(), pack.Issues()};
  KB_TRY(DropBrokenSyntax(pack, &found));
  if (options.run && !found.usable.empty()) {
    KB_ASSIGN(const bool interrupted, DropFailing(options, &found));
    if (interrupted) {
      fmt::print(stderr, "interrupted\n");
      return ExitCode::kInterrupted;
    }
  }
  if (!options.out.empty()) KB_TRY(Write(pack, found, options.out));
  std::ranges::sort(found.issues, {}, [](const Issue& issue) {
    return std::make_pair(issue.path, issue.line);
  });
  Print(found, options.judge.json);
  return found.issues.empty() ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void AddImport(Command* program, ImportOptions* options, Call* call) {
  Command* import = program->AddCommand(
      "import",
      "check other people's problems, or add a run of KernelBench to a store");
  import->Footer(
      "examples:\n  kernelbench import test.parquet --run --out pack\n  "
      "kernelbench import runs/gpt --level 1 --baseline "
      "baseline_time_torch.json --store gpt.db\n\nexit code: 0 when all can be "
      "used, else 1");
  import
      ->Add("pack", &options->judge.pack,
            "folder like the original's, .jsonl, .parquet or .py file; "
            "hf:OWNER/NAME; "
            "or a run folder with eval_results.json")
      .Required();
  import->Add("--out", &options->out,
              "new folder that the usable problems are written to");
  import->AddFlag("--run", &options->run, "run the references, too");
  import->Add("--device", &options->judge.device,
              "where they run: cuda:N or cpu");
  import->Add("--size", &options->judge.size,
              "at which size: full (default) or small");
  import->Add("--jobs", &options->jobs, "oracles at the same time")
      .Between(int64_t{1}, int64_t{64});
  import->Add("--limit", &options->limit, "seconds for one problem").Positive();
  import->Add("--level", &options->level, "of a run: 1 or level1");
  import->Add("--baseline", &options->baseline,
              "of a run: the original's baseline times, for speedups");
  import->Add("--model", &options->model,
              "of a run: the model that it is scored as; default: what our "
              "export says, else the folder's name");
  import->Add("--store", &options->judge.store,
              "of a run: SQLite file that results are added to");
  import->AddFlag("--json", &options->judge.json, "print JSON for machines");
  Means(import, call, options, Run);
}

}  // namespace kb::cli
