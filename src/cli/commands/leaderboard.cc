#include "commands/leaderboard.h"

#include <fmt/format.h>

#include <map>

#include "analysis/baseline.h"
#include "base/clock.h"
#include "html/html.h"
#include "page_file.h"
#include "report/leaderboard.h"
#include "run/files.h"
#include "run/reading.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

// How strong the jails were in which a reading's samples were judged, by the
// runs' names and the samples' ids.
using Isolations = std::map<std::string, std::map<int64_t, std::string>>;

Result<Isolations> IsolationsOf(const analysis::RunReading& reading) {
  Isolations isolations;
  for (size_t i = 0; i < reading.paths.size(); ++i) {
    KB_ASSIGN(const store::Store store, run::OpenRun(reading.paths[i]));
    KB_ASSIGN(isolations[reading.names[i]], store.Isolations());
  }
  return isolations;
}

Result<ExitCode> Run(const LeaderboardOptions& options) {
  KB_TRY(CheckPageFile(options.out));
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(const analysis::RunReading reading,
            run::ReadRuns(options.runs, pack, options.baseline));
  KB_ASSIGN(const Isolations isolations, IsolationsOf(reading));
  const auto isolation = [&](const std::string& run, int64_t id) {
    const auto& of_run = isolations.at(run);
    const auto found = of_run.find(id);
    return found == of_run.end() ? std::string() : found->second;
  };
  report::CollectOptions collecting;
  collecting.generated_at = base::UtcNow();
  collecting.scoring.with_flagged = !options.sound;
  const report::Leaderboard board =
      report::Rank(reading, isolation, collecting);
  KB_TRY(WritePage(options.out, report::RenderLeaderboard(board)));
  fmt::print("{}: {} of {}\n", options.out,
             html::CountOf(board.rows.size(), "row"),
             html::CountOf(reading.names.size(), "run"));
  for (const auto& [part, whole] : board.contained)
    fmt::print("{} is part of {}, which has all its results: counted once\n",
               part, whole);
  return ExitCode::kDone;
}

}  // namespace

void AddLeaderboard(Command* program, LeaderboardOptions* options, Call* call) {
  Command* board = program->AddCommand(
      "leaderboard", "models of many runs as one HTML file, best first");
  board->Footer(
      "example:\n  kernelbench leaderboard a.db b.db -o "
      "leaderboard.html\n\none "
      "row for each model and setting (size, precision, policy, device), with "
      "what stands behind its numbers");
  board
      ->Add("run", &options->runs,
            "one or more stores (--store), or names of runs")
      .Required();
  board->Add("-o,--out", &options->out, "file to write").ShowDefault();
  board
      ->Add("--baseline", &options->baseline,
            "what speedups are over: " + analysis::BaselineNames())
      .ShowDefault();
  board->AddFlag("--sound", &options->sound,
                 "count problems without a known weakness only");
  board->Add("--pack", &options->pack, "where tags and flags come from");
  Means(board, call, options, Run);
}

}  // namespace kb::cli
