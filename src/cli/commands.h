#pragma once

#include <memory>

#include "command.h"
#include "commands/analyze.h"
#include "commands/audit.h"
#include "commands/baseline.h"
#include "commands/cache.h"
#include "commands/demo.h"
#include "commands/doctor.h"
#include "commands/eval.h"
#include "commands/export.h"
#include "commands/help.h"
#include "commands/import.h"
#include "commands/leaderboard.h"
#include "commands/prices.h"
#include "commands/problems.h"
#include "commands/profile.h"
#include "commands/prompt.h"
#include "commands/report.h"
#include "commands/run.h"
#include "commands/runs.h"
#include "commands/schema.h"
#include "commands/selftest.h"

namespace kb::cli {

// What the command line said to every command, and the call that it means.
struct Commands {
  EvalOptions eval;
  EvalOptions profile;
  DemoOptions demo;
  AuditOptions audit;
  ProblemsOptions problems;
  ImportOptions import;
  ExportOptions exporting;
  PromptOptions prompt;
  PricesOptions prices;
  RunOptions generate;
  RunOptions run;
  BaselineOptions baseline;
  AnalyzeOptions analyze;
  ReportOptions report;
  LeaderboardOptions leaderboard;
  RunsOptions runs;
  CacheOptions cache;
  SelftestOptions selftest;
  DoctorOptions doctor;
  SchemaOptions schema;
  CompletionOptions completion;
  Call call;
};

// The program's command line, which fills `commands` when it parses.
std::unique_ptr<Command> MakeProgram(Commands* commands);

}  // namespace kb::cli
