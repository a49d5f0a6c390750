#pragma once

#include <cstdint>
#include <string>

#include "analysis/reading.h"

namespace kb::report {

// What scores do not know of themselves.
struct ScoreRemarks {
  std::string baseline = "eager";
  int64_t without_baseline = 0;  // samples left out for that
  int64_t ruler = 0;             // analysis::RunReading::ruler
  int64_t foreign = 0;           // analysis::RunReading::foreign
  int64_t superseded = 0;        // analysis::RunReading::superseded
};
// All that the reading says of them.
ScoreRemarks RemarksOf(const analysis::RunReading& reading);

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
