#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "asking.h"
#include "eval/session.h"
#include "os/status_line.h"
#include "store/store.h"

namespace kb::run {

// A run as it goes: keeps answers and verdicts in its store and shows both, on
// a terminal as a table that stays current, else as a line each. Thread-safe.
class RunTable : public eval::Observer {
 public:
  // `names`: of the samples, by index. `judges`: an answer's code is judged
  // here, so that an answer alone is not the end of a sample. `stop` is
  // requested when something cannot be kept.
  RunTable(std::string title, std::vector<std::string> names, bool judges,
           store::Store* store, std::stop_source stop);

  // What is there from before.
  void AddKnown(const record::Generation& generation);
  void AddKnownVerdict(const std::string& name);

  void OnStep(size_t index, const std::string& step) override;
  void OnDone(size_t index, const record::Evaluation& evaluation) override;

  void OnAsking(size_t index, const std::string& step);
  // False: it cannot be kept.
  bool OnAnswer(const Wanted& wanted, const record::Generation& generation);
  void OnOpen(const Wanted& wanted, const std::string& why);

  // Takes the table off the terminal.
  void Close() { line_.Show(""); }

  // "2 answered, 0.0132 USD: 1 complete, 1 no_code"
  std::string Summary() const;

  const std::vector<record::Evaluation>& evaluations() const {
    return evaluations_;
  }
  const std::optional<base::Error>& store_error() const { return error_; }

 private:
  // Whether the answer leaves nothing more to do.
  bool Settles(const record::Generation& generation) const;
  void AddCost(const record::Generation& generation);
  std::string Cost() const;
  std::string Counts() const;
  void Draw();
  void Fail(const base::Error& error);
  std::string Block() const;

  const std::string title_;
  const std::vector<std::string> names_;
  const bool judges_;
  store::Store* store_;
  std::stop_source stop_;
  const std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
  os::StatusLine line_;
  mutable std::mutex mutex_;               // guards what follows
  std::map<std::string, int64_t> counts_;  // by verdict or answer's status
  int64_t answered_ = 0;
  int64_t settled_ = 0;       // judged, or nothing to judge
  int64_t settled_here_ = 0;  // of these: in this process
  double usd_ = 0;
  int64_t unpriced_ = 0;
  std::map<size_t, std::string> asking_;
  std::string judging_;
  std::vector<record::Evaluation> evaluations_;
  std::optional<base::Error> error_;
};

}  // namespace kb::run
