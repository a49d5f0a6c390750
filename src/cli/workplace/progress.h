#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "eval/baselines.h"
#include "eval/session.h"
#include "os/status_line.h"
#include "store/store.h"

namespace kb::workplace {

// Keeps results and shows them as they come: on a terminal with one line that
// says what is going on, else one line per result.
class Progress : public eval::Observer {
 public:
  Progress(std::vector<std::string> names, store::Store* store);

  void OnStep(size_t index, const std::string& step) override;
  void OnDone(size_t index, const record::Evaluation& evaluation) override;
  void OnNotice(const std::string& text) override;

  std::vector<std::optional<record::Evaluation>> TakeResults();
  // Why results could not be stored, if so.
  const std::optional<base::Error>& store_error() const { return store_error_; }

 private:
  std::vector<std::string> names_;
  store::Store* store_;
  os::StatusLine line_;
  size_t done_ = 0;
  std::vector<std::optional<record::Evaluation>> results_;
  std::optional<base::Error> store_error_;
};

// The same of baselines.
class BaselineProgress : public eval::BaselineObserver {
 public:
  void OnStep(size_t index, size_t of, const std::string& problem_id,
              record::BaselineMode mode, const std::string& step) override;
  base::Result<void> OnMeasured(size_t index, size_t of,
                                const record::Baseline& baseline) override;
  void OnFailed(size_t index, size_t of,
                const record::Baseline& baseline) override;

  size_t failed() const { return failed_; }

  // What has begun and has no result, each with its last step and for how many
  // seconds that has been so, in the order of the list. Empty: nothing.
  std::vector<std::string> Underway() const;

 private:
  struct Step {
    std::string text;
    std::chrono::steady_clock::time_point since;
  };

  void Tell(size_t index, size_t of, const record::Baseline& baseline);

  size_t failed_ = 0;
  std::map<size_t, Step> steps_;  // by index
  os::StatusLine line_;
};

// "correct 1.83x [1.80, 1.86]"
std::string ResultLine(const record::Evaluation& evaluation);

}  // namespace kb::workplace
