#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/mutex.h"
#include "base/result.h"
#include "eval/session.h"
#include "os/status_line.h"
#include "store/store.h"
#include "workplace/exit_code.h"

namespace kb::cli {

// What `eval` does with verdicts as they come: keeps them in the store, counts
// them, and shows them. Thread-safe.
class Verdicts : public eval::Observer {
 public:
  enum class Show {
    kLater,    // kept for `evaluations`
    kAtOnce,   // in full on stdout
    kAsLines,  // a JSON object a line on stdout
  };
  // `store`: null for none.
  Verdicts(Show show, store::Store* store);

  // Announces a task, before a session gets it; its index. `id` comes back with
  // its line.
  size_t Expect(const eval::Task& task, base::Json id);
  // What was to be a task and cannot be one.
  void Refuse(const base::Json& id, const std::string& why);
  // Waits until fewer than `most` are on their way.
  void WaitForRoom(size_t most, const std::stop_token& stop);

  void OnStep(size_t index, const std::string& step) override;
  void OnDone(size_t index, const record::Evaluation& evaluation) override;
  void OnNotice(const std::string& text) override;

  // With kLater, by index; absent: not judged.
  std::vector<std::optional<record::Evaluation>> TakeEvaluations();
  // "5 candidates: 3 correct, 2 incorrect"
  std::string Summary() const;
  size_t expected() const;
  // Why results could not be kept, if so.
  std::optional<base::Error> store_error() const;
  // 0 all correct, 1 not all, 2 something was refused, 3 our failure.
  workplace::ExitCode exit_code() const;

 private:
  struct Waiting {
    std::string name;
    base::Json id;
  };
  void Print(const Waiting& task, const record::Evaluation& evaluation);

  const Show show_;
  store::Store* const store_;
  os::StatusLine line_;
  mutable base::Mutex mutex_;
  base::Condition room_;
  std::map<size_t, Waiting> waiting_ KB_GUARDED_BY(mutex_);
  std::map<size_t, record::Evaluation> evaluations_ KB_GUARDED_BY(mutex_);
  std::map<std::string, int64_t> counts_ KB_GUARDED_BY(mutex_);
  size_t expected_ KB_GUARDED_BY(mutex_) = 0;
  size_t done_ KB_GUARDED_BY(mutex_) = 0;
  size_t refused_ KB_GUARDED_BY(mutex_) = 0;
  std::optional<base::Error> store_error_ KB_GUARDED_BY(mutex_);
};

// Prints them as the document of `eval --json`.
void PrintEvaluations(
    const std::vector<std::optional<record::Evaluation>>& evaluations,
    bool interrupted);

}  // namespace kb::cli
