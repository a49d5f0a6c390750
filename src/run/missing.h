#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/scores.h"
#include "base/result.h"
#include "record/generation.h"
#include "record/request.h"
#include "store/store.h"

namespace kb::run {

// What a run was asked for, and what stands in for that of it which has no
// outcome.
class Asked {
 public:
  // What a store says; of one without requests what has an answer was asked.
  static base::Result<Asked> Of(
      const store::Store& store,
      const std::map<std::string, std::string>& manifest);

  // What the outcome's answer took, and all answers of its sample; none: not
  // known.
  std::optional<double> SecondsOf(const record::Outcome& outcome) const;
  std::shared_ptr<const std::vector<analysis::AnswerCost>> AnswersOf(
      const record::Outcome& outcome) const;
  // Entry::asked_on of the outcome.
  std::vector<std::string> DevicesOf(const record::Outcome& outcome) const;
  // An answer without a candidate ran nowhere: it stands at each size and
  // precision at which its sample was asked for. Where no request is for its
  // sample, at those of the first one of its problem, and of an older run at
  // what the manifest says.
  std::vector<record::Outcome> Placed(record::Outcome unusable) const;
  // Entries, without a run's name, of what `entries` lack: each sample at each
  // size and precision at which it was asked for.
  std::vector<analysis::Entry> MissingFrom(
      const std::vector<analysis::Entry>& entries) const;

 private:
  // Model, problem, its hash.
  using Problem = std::tuple<std::string, std::string, std::string>;
  // Model, problem, its hash, sample: an answer has no size and no precision.
  using AnswerKey = std::tuple<std::string, std::string, std::string, int64_t>;
  using Key = std::tuple<AnswerKey, record::Size, record::Precision>;

  static AnswerKey AnswerKeyOf(const record::Outcome& outcome);
  static Key KeyOf(const record::Outcome& outcome);
  // Those of the outcome's model and problem.
  std::span<const record::Request> RequestsOf(
      const record::Outcome& outcome) const;
  record::Outcome OutcomeOf(const record::Request& request,
                            int64_t sample) const;
  analysis::Entry EntryOf(record::Outcome outcome) const;

  std::map<Problem, std::vector<record::Request>> requests_;
  record::Progress progress_ = record::Progress::kDone;
  // Without texts, by turn.
  std::map<AnswerKey, std::vector<record::Generation>> answers_;
  std::map<AnswerKey, std::shared_ptr<const std::vector<analysis::AnswerCost>>>
      costs_;
  std::map<std::string, std::string> manifest_;
  std::string policy_;  // its name; empty: the run only asked
};

}  // namespace kb::run
