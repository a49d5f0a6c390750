#include "analysis/scores.h"
#include "options.h"
#include "run/reading.h"
#include "run/score_text.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

Result<int> Run(const AnalyzeOptions& options) {
  analysis::ScoreOptions scoring;
  scoring.ps = options.ps;
  scoring.ks = options.ks;
  scoring.with_flagged = options.with_flagged;
  const auto by = analysis::ParseBy(options.by);
  if (!by)
    return base::Usage("--by {}: use run, model, level, tag or problem",
                       options.by);
  scoring.by = *by;
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(const run::RunReading reading,
            run::ReadRuns(options.runs, pack, options.baseline));
  const analysis::Scores scores = analysis::Score(reading.entries, scoring);
  const run::ScoreRemarks remarks{options.baseline, reading.without_baseline};
  if (options.json)
    run::PrintScoresJson(scores, scoring, remarks);
  else if (options.csv)
    run::PrintScoresCsv(scores, scoring);
  else
    run::PrintScores(scores, scoring, remarks);
  return 0;
}

}  // namespace

int RunAnalyze(const AnalyzeOptions& options) {
  const Result<int> code = Run(options);
  return code ? *code : workplace::Complain(code.error());
}

}  // namespace kb::cli
