#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "run/run.h"

namespace kb::run {

// Keeps what a run gets in its store, and then tells an observer. When
// something cannot be kept, the run ends: what follows would be lost as well.
// Thread-safe.
class Keeper : public eval::Observer {
 public:
  // `stop` is requested when something cannot be kept.
  Keeper(store::Store* store, RunObserver* observer, std::stop_source stop);

  void OnStep(size_t index, const std::string& step) override;
  void OnDone(size_t index, const record::Evaluation& evaluation) override;
  void OnNotice(const std::string& text) override;
  void OnKnownAnswer(const record::Generation& answer);
  void OnKnownVerdict(const record::Outcome& outcome);
  void OnAsking(size_t index, const std::string& step);
  // False: it cannot be kept.
  bool OnAnswer(size_t index, const record::Generation& answer);
  // False: they cannot be kept.
  bool OnDecisions(const std::vector<record::Decision>& decisions);
  void OnUnanswered(size_t index, const std::string& why);
  void OnSampleEnd(size_t index, bool before);

  // Those that were kept; none are left.
  std::vector<record::Evaluation> TakeEvaluations();
  std::optional<base::Error> Error();

 private:
  template <typename T>
  bool Kept(const base::Result<T>& result) KB_REQUIRES(mutex_);

  store::Store* store_;
  RunObserver* observer_;
  std::stop_source stop_;
  base::Mutex mutex_;  // also for calls of the observer
  std::vector<record::Evaluation> evaluations_ KB_GUARDED_BY(mutex_);
  std::optional<base::Error> error_ KB_GUARDED_BY(mutex_);
};

}  // namespace kb::run
