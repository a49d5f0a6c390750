#pragma once

#include <CLI/CLI.hpp>

#include "options.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What the command line said to every command; the one that ran sets the code.
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
  int exit_code = 0;
};

// Options that several commands share.
void AddFit(CLI::App* command, std::optional<uint64_t>* fit);
void AddSelection(CLI::App* command, workplace::SelectionOptions* options);
void AddJudgeOptions(CLI::App* command, workplace::JudgeOptions* options);

// Commands about models and runs: prompt, prices, generate, run, baseline,
// analyze, report, runs.
void AddRunCommands(CLI::App* app, Commands* commands);

}  // namespace kb::cli
