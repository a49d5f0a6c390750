#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "options.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What the command line said to every command, and the call that it means.
struct Commands {
  AuditOptions audit;
  ImportOptions import;
  ExportOptions exporting;
  EvalOptions eval;
  DemoOptions demo;
  ProblemsOptions problems;
  AnalyzeOptions analyze;
  RunsOptions runs;
  BaselineOptions baseline;
  RunOptions run;
  RunOptions generate;
  ReportOptions report;
  PromptOptions prompt;
  PricesOptions prices;
  SelftestOptions selftest;
  DoctorOptions doctor;
  SchemaOptions schema;
  std::string shell;          // of completion
  std::function<int()> call;  // gives the exit code
};

// The program's command line, which fills `commands` when it parses.
std::unique_ptr<CLI::App> MakeProgram(Commands* commands);

// Options that several commands share.
void AddFit(CLI::App* command, std::optional<uint64_t>* fit);
void AddQuiet(CLI::App* command);
void AddSelection(CLI::App* command, workplace::SelectionOptions* options);
void AddJudgeOptions(CLI::App* command, workplace::JudgeOptions* options);

// Commands about models and runs: prompt, prices, generate, run, baseline,
// analyze, report, runs.
void AddRunCommands(CLI::App* app, Commands* commands);

// Commands about the program itself: schema, completion, man.
void AddHelpCommands(CLI::App* app, Commands* commands);

}  // namespace kb::cli
