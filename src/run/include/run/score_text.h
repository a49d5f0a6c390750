#pragma once

#include <cstdint>
#include <string>

#include "analysis/scores.h"
#include "run/reading.h"

namespace kb::run {

// What scores do not know of themselves.
struct ScoreRemarks {
  std::string baseline = "eager";
  int64_t without_baseline = 0;  // samples left out for that
  int64_t ruler = 0;             // RunReading::ruler
  int64_t foreign = 0;           // RunReading::foreign
  int64_t superseded = 0;        // RunReading::superseded
};
// All that the reading says of them.
ScoreRemarks RemarksOf(const RunReading& reading);

// On stdout.
void PrintScores(const analysis::TwoScores& scores,
                 const analysis::ScoreOptions& options,
                 const ScoreRemarks& remarks);
void PrintScoresJson(const analysis::TwoScores& scores,
                     const analysis::ScoreOptions& options,
                     const ScoreRemarks& remarks);
void PrintScoresCsv(const analysis::TwoScores& scores,
                    const analysis::ScoreOptions& options);

}  // namespace kb::run
