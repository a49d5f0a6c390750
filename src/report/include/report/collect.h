#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reading.h"
#include "base/result.h"
#include "record/decision.h"
#include "record/generation.h"
#include "report/runs.h"

namespace kb::report {

// Where a report of runs finds what a reading leaves in the stores, in the
// problems and in data sheets.
class RunSources {
 public:
  virtual ~RunSources() = default;

  // The answers of the reading's run with this index, without their texts.
  virtual base::Result<std::vector<record::Generation>> Answers(size_t run) = 0;
  // What the run's searches decided.
  virtual base::Result<std::vector<record::Decision>> Decisions(size_t run) = 0;
  // What became of the run's turns.
  virtual base::Result<std::vector<record::Outcome>> Outcomes(size_t run) = 0;
  // The answers of one of its samples, with their texts.
  virtual base::Result<std::vector<record::Generation>> Conversation(
      size_t run, const std::string& problem_id, int64_t sample) = 0;
  // The run's sample in full; none: it is gone.
  virtual base::Result<std::optional<record::Evaluation>> Sample(
      size_t run, int64_t id) = 0;
  // The answer that the run's sample was taken from; "": not known.
  virtual base::Result<std::string> AnswerText(
      size_t run, const record::Outcome& outcome) = 0;
  // The problem as it is today; none: it is gone.
  virtual std::optional<record::Problem> Problem(const std::string& id,
                                                 record::Size size) = 0;
  // None: the device is not known.
  virtual std::optional<analysis::Roofline> Roofline(
      const std::string& device_name) = 0;
};

struct CollectOptions {
  std::string generated_at;  // UTC, ISO 8601
  // The page's tables; all but the table of scores are cut by run and level.
  analysis::ScoreOptions scoring = {};
  // Up to so many samples are all there in full. Of more, the best correct one
  // of each problem and run is, and one of each other verdict.
  size_t all_in_full = 2000;
};

// All that a report of these runs shows. A run that holds samples of several
// models is there as a run of each.
base::Result<Book> Collect(const analysis::RunReading& reading,
                           RunSources* sources, const CollectOptions& options);

}  // namespace kb::report
