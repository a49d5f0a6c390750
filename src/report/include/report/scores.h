#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/measured.h"
#include "analysis/reading.h"

namespace kb::report {

// What scores do not know of themselves.
struct ScoreRemarks {
  std::string baseline = "eager";
  int64_t without_baseline = 0;  // samples that lost their speedup for that
  int64_t ruler = 0;             // analysis::RunReading::ruler
  int64_t foreign = 0;           // analysis::RunReading::foreign
  int64_t superseded = 0;        // analysis::RunReading::superseded
  std::vector<analysis::TurnRow> turns = {};
  std::vector<analysis::Optimism> optimism = {};
  std::map<std::string, analysis::Measured> measured = {};
};
// All that the reading says of them.
ScoreRemarks RemarksOf(const analysis::RunReading& reading,
                       const analysis::ScoreOptions& options);

// What must be said before any score: a line for each run that is not complete.
std::vector<std::string> IncompleteLines(const analysis::Scores& scores);

// Lines for a terminal, for a program, and for a spreadsheet.
std::string ScoresText(const analysis::TwoScores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks);
std::string ScoresJson(const analysis::TwoScores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks);
std::string ScoresCsv(const analysis::TwoScores& scores,
                      const analysis::ScoreOptions& options);

}  // namespace kb::report
