#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What goes to a model.
struct PromptChoice {
  std::string prompt = "zero-shot";
  std::string backend = "cuda";
  std::string hardware = "auto";  // a name, "auto" or "none"
};

// Empty strings and options without a value: not said.
struct RunOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  PromptChoice prompt;
  std::string model;
  std::string models_file;
  std::optional<int64_t> samples;  // of each problem; 1, of a replay all
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<int64_t> max_tokens;
  std::optional<int64_t> seed;
  std::string reasoning_effort;
  std::optional<int64_t> concurrency;
  std::optional<double> max_cost;  // USD, of the whole run
  bool with_unpriced = false;      // also after answers of unknown cost
  std::vector<std::string> baselines{"eager"};
  bool generate_only = false;
  bool dry_run = false;  // only say what would be asked, and its cost
};

// What the command line said. Empty strings: not said.
struct EvalOptions {
  workplace::JudgeOptions judge;
  std::vector<std::string> problems;    // empty: the candidates say
  std::vector<std::string> candidates;  // files, folders, patterns, "-"
  bool watch = false;
  bool json_lines = false;
};

struct DemoOptions {
  workplace::JudgeOptions judge;
  std::string samples;  // folder; empty: the installed ones
  std::string out = "kernelbench-demo";
  std::string filter;  // part of a sample's path
};

struct AuditOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  bool references = false;    // without mutants
  int64_t jobs = 1;           // lanes at the same time
  int64_t limit = 600;        // seconds for one problem's answers
  std::string shapes;         // file to compare with
  std::string record_shapes;  // file to write
  std::string record_costs;   // file to add to
};

struct ImportOptions {
  // `pack` is what is imported; the rest for references.
  workplace::JudgeOptions judge;
  std::string out;       // folder to write the usable problems to; empty: none
  bool run = false;      // references, too
  std::string level;     // of a run of the original
  std::string baseline;  // its baseline's times; empty: no speedups
  int64_t jobs = 1;
  int64_t limit = 600;
};

struct ExportOptions {
  std::string run;  // store file
  std::string format = "kernelbench";
  std::string out;   // new folder
  std::string pack;  // for names of problems
};

struct ProblemsOptions {
  std::string pack;
  workplace::SelectionOptions selection;
  std::string id;
  std::string size;
  std::optional<uint64_t> fit;
  bool json = false;
};

struct AnalyzeOptions {
  std::vector<std::string> runs;  // store files
  std::string pack;               // for tags and flags
  std::vector<double> ps{0, 0.5, 0.8, 1, 1.5, 2, 4};
  std::vector<int64_t> ks{1};
  std::string by = "run";
  std::string time = "device";  // or "wall"
  std::string baseline = "eager";
  bool csv = false;
  bool json = false;
};

struct BaselineOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  std::vector<std::string> modes{"all"};
  bool again = false;  // measure what is known, too
  int64_t limit = 1200;
  std::string out;  // folder for the original's files; empty: none
};

struct SelftestOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  std::string mode = "eager";  // of the candidate; the reference is eager
};

struct ReportOptions {
  std::vector<std::string> runs;
  std::string out = "report.html";
  std::string pack;
  std::string baseline = "eager";
  bool with_flagged = false;
};

struct PromptOptions {
  workplace::JudgeOptions judge;
  PromptChoice prompt;
  std::string problem;  // empty: list what there is
};

struct PricesOptions {
  bool update = false;
  std::string url;
  std::string model;  // of show; empty: all
  bool json = false;
};

struct RunsOptions {
  enum class Action { kList, kShow, kMerge, kDelete };
  Action action = Action::kList;
  std::string folder;             // of list; empty: where runs go by default
  std::vector<std::string> runs;  // store files
  std::string out;                // of merge
  bool yes = false;               // of delete
  bool json = false;
};

struct SchemaOptions {
  std::string name;  // empty: list them
};

struct DoctorOptions {
  bool json = false;
};

// One per command, in a file of its own. Return the exit code.
int RunEval(const EvalOptions& options);
int RunDemo(const DemoOptions& options);
int RunAudit(const AuditOptions& options);
int RunImport(const ImportOptions& options);
int RunExport(const ExportOptions& options);
int RunProblemsList(const ProblemsOptions& options);
int RunProblemsShow(const ProblemsOptions& options);
int RunAnalyze(const AnalyzeOptions& options);
int RunRuns(const RunsOptions& options);
int RunBaseline(const BaselineOptions& options);
int RunSelftestTiming(const SelftestOptions& options);
// Both `run` and `generate`.
int RunModel(const RunOptions& options);
int RunReport(const ReportOptions& options);
int RunPrompt(const PromptOptions& options);
int RunPrices(const PricesOptions& options);
int RunSchema(const SchemaOptions& options);
int RunDoctor(const DoctorOptions& options);

}  // namespace kb::cli
