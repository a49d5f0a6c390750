#include "commands/analyze.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/baseline.h"
#include "analysis/rulers.h"
#include "analysis/scores.h"
#include "report/models_apart.h"
#include "report/scores.h"
#include "run/reading.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

// Several models are not one: what a store mixes is taken apart. Whether there
// is any.
bool TakeModelsApart(analysis::RunReading* reading,
                     analysis::ScoreOptions* scoring) {
  const auto mixed = analysis::MixedRuns(reading->entries);
  if (mixed.empty() || scoring->by == analysis::By::kModel)
    return !mixed.empty();
  if (scoring->by == analysis::By::kRun) {
    for (const auto& [run, models] : mixed)
      fmt::print(stderr,
                 "{} holds samples of {} models ({}): scored model by model\n",
                 run, models.size(), fmt::join(models, ", "));
    scoring->by = analysis::By::kModel;
    return true;
  }
  report::ModelsApart apart = report::TakenApart(*reading);
  for (const std::string& remark : apart.remarks)
    fmt::print(stderr, "{}\n", remark);
  *reading = std::move(apart.reading);
  return true;
}

Result<ExitCode> Run(const AnalyzeOptions& options) {
  if (options.csv && options.json)
    return base::Usage("--csv and --json: choose one of the two");
  KB_ASSIGN(analysis::ScoreOptions scoring,
            ScoringOf(options.scoring, {options.baseline}));
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(analysis::RunReading reading,
            run::ReadRuns(options.runs, pack, options.baseline));
  if (scoring.time == analysis::Time::kWall)
    KB_TRY(analysis::CheckWallTimes(reading.entries));
  const bool mixed = TakeModelsApart(&reading, &scoring);
  analysis::TwoScores scores = analysis::ScoreTwice(reading.entries, scoring);
  // They would compare mixtures.
  if (mixed) scores.all.pairings = scores.sound.pairings = {};
  const report::ScoreRemarks remarks = report::RemarksOf(reading, scoring);
  // CSV has no place for it.
  if (const auto remark = analysis::RulerRemark(remarks.ruler);
      options.csv && !remark.empty())
    fmt::print(stderr, "{}\n", remark);
  if (options.json)
    fmt::print("{}\n", report::ScoresJson(scores, scoring, remarks));
  else if (options.csv)
    fmt::print("{}", report::ScoresCsv(scores, scoring));
  else
    fmt::print("{}", report::ScoresText(scores, scoring, remarks));
  return ExitCode::kDone;
}

}  // namespace

void AddAnalyze(Command* program, AnalyzeOptions* options, Call* call) {
  Command* analyze = program->AddCommand(
      "analyze", "fast_p, pass@k and comparisons of runs, with intervals");
  analyze->Footer(
      "example:\n  kernelbench analyze a.db b.db --by level --k 1,4\n  "
      "kernelbench analyze a.db --baseline compile\n  kernelbench analyze "
      "a.db --time wall");
  analyze
      ->Add("run", &options->runs,
            "one or more stores (--store), or names of runs")
      .Required();
  AddScoring(analyze, &options->scoring);
  analyze
      ->Add("--baseline", &options->baseline,
            "what speedups are over: " + analysis::BaselineNames())
      .ShowDefault();
  analyze->Add("--pack", &options->pack, "where tags and flags come from");
  analyze->AddFlag("--csv", &options->csv, "print CSV");
  analyze->AddFlag("--json", &options->json, "print JSON for machines");
  Means(analyze, call, options, Run);
}

}  // namespace kb::cli
