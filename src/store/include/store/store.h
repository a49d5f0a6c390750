#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/baseline.h"
#include "record/decision.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "record/outcome.h"
#include "record/request.h"

namespace kb::store {

// Which evaluations to read; what is absent does not restrict.
struct Filter {
  std::optional<int64_t> id = {};  // of its row, record::Outcome::id
  std::optional<std::string> problem_id = {};
  std::optional<std::string> problem_hash = {};
  std::optional<std::string> candidate_hash = {};
  std::optional<std::string> device_name = {};  // record::DeviceFacts::name
  std::optional<std::string> policy = {};       // its name
  std::optional<std::string> version = {};      // of kernelbench
  std::optional<std::string> model = {};
  std::optional<int64_t> sample = {};
  // Rows of these are not even looked at.
  std::vector<std::string> without_problems = {};
};

// Which generations to read.
struct GenerationFilter {
  std::optional<std::string> model = {};
  std::optional<std::string> problem_id = {};
  std::optional<int64_t> sample = {};
  std::optional<int64_t> turn = {};
  // Otherwise prompt, answer, reasoning, state and source stay empty: quick.
  bool with_texts = true;
};

// The evaluations, answers and baselines of one run in one SQLite file. Only
// ever added to. Several processes may append to one file at the same time; one
// Store may be used by several threads, but not on both sides of a fork.
class Store {
 public:
  enum class Mode {
    kCreate,  // a missing file is made
    // A missing or empty file is an Error, as for a reader. One that cannot be
    // written is only read; then an older version is an Error as well.
    kExisting,
  };

  // Brings a file of an older version up to ours; refuses one of a newer, and
  // one that is shorter than it says. With kCreate an Appender as long as the
  // Store lives.
  static base::Result<Store> Open(const std::string& path,
                                  Mode mode = Mode::kCreate);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Whether the file's structure is whole, which takes as long as reading it;
  // a usage Error when it is not.
  base::Result<void> CheckWhole() const;

  // All of it or nothing. What has returned outlives this process, also a kill
  // -9; a power failure may take the last appends, never the file. Returns the
  // row's id, which grows with every append.
  base::Result<int64_t> Append(const record::Evaluation& evaluation);

  // In the order they were appended, complete.
  base::Result<std::vector<record::Evaluation>> Evaluations(
      const Filter& filter = {}) const;

  // The same rows without sources, logs and trials, then the answers that hold
  // no candidate (unless anything is filtered): quick also for 100,000.
  base::Result<std::vector<record::Outcome>> Outcomes(
      const Filter& filter = {}) const;

  // The policies of evaluations, by record::Outcome::policy_hash, without what
  // another version wrote in words of its own.
  base::Result<std::map<std::string, record::Policy>> Policies() const;

  // How strong the jail of each evaluation was, by record::Outcome::id.
  base::Result<std::map<int64_t, std::string>> Isolations() const;

  // An Error when that turn of the model's sample is there already.
  base::Result<int64_t> Append(const record::Generation& generation);
  base::Result<std::vector<record::Generation>> Generations(
      const GenerationFilter& filter = {}) const;

  base::Result<int64_t> Append(const record::Baseline& baseline);
  // The newest of each key: problem, size, precision, device, driver, torch,
  // TF32, mode and ruler.
  base::Result<std::vector<record::Baseline>> Baselines() const;

  // What the run's calls asked for, all or nothing; what is there already is
  // left out.
  base::Result<void> AddRequests(const std::vector<record::Request>& requests);
  // One of each model, problem, size, precision and device: that with the most
  // samples.
  base::Result<std::vector<record::Request>> Requests() const;

  base::Result<void> AddProgress(record::Progress progress);
  // The newest; none: nothing was asked for, or by an older kernelbench.
  base::Result<std::optional<record::Progress>> LastProgress() const;

  // All or nothing.
  base::Result<void> AddDecisions(
      const std::vector<record::Decision>& decisions);
  // In the order they were added: of each sample its search's log.
  // Of one problem, or of all.
  base::Result<std::vector<record::Decision>> Decisions(
      const std::optional<std::string>& problem_id = {}) const;

  // What the run was asked to do, by name.
  base::Result<std::map<std::string, std::string>> Manifest() const;
  // All of it or nothing; an Error when a name has another value already.
  base::Result<void> AddToManifest(
      const std::map<std::string, std::string>& entries);

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  template <typename T>
  base::Result<int64_t> AppendRow(const T& value);
  std::unique_ptr<State> state_;
};

}  // namespace kb::store
