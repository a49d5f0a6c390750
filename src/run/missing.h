#pragma once

#include <map>
#include <memory>
#include <optional>
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
  // An answer without a candidate ran nowhere: what it was asked for says at
  // which size and precision it would have, and of an older run the manifest.
  void Place(record::Outcome* outcome) const;
  // Entries, without a run's name, of the samples that `entries` lack.
  std::vector<analysis::Entry> MissingFrom(
      const std::vector<analysis::Entry>& entries) const;

 private:
  // Model, problem, its hash, sample.
  using Key = std::tuple<std::string, std::string, std::string, int64_t>;

  static Key KeyOf(const record::Outcome& outcome);
  record::Outcome OutcomeOf(const record::Request& request,
                            int64_t sample) const;
  analysis::Entry EntryOf(const Key& key, record::Outcome outcome) const;

  std::vector<record::Request> requests_;
  // Model, problem, its hash, size and precision, and by the device of how many
  // samples.
  using Problem = std::tuple<std::string, std::string, std::string,
                             record::Size, record::Precision>;
  std::map<Problem, std::map<std::string, int64_t>> devices_;
  record::Progress progress_ = record::Progress::kDone;
  // Without texts, by turn.
  std::map<Key, std::vector<record::Generation>> answers_;
  std::map<Key, std::shared_ptr<const std::vector<analysis::AnswerCost>>>
      costs_;
  std::map<std::string, std::string> manifest_;
  std::string policy_;  // its name; empty: the run only asked
};

}  // namespace kb::run
