#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "eval/session.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "record/request.h"
#include "run/asking.h"
#include "store/store.h"

namespace kb::run {

// With what the answers' code is judged.
struct Judging {
  // Judges until the queue is closed: eval::JudgeQueue, or a test's.
  std::function<base::Result<void>(eval::TaskQueue*, eval::Observer*,
                                   std::stop_token)>
      judge;
  record::Policy policy;
};

// All that a run works with; what it points to must outlive it.
struct RunPlan {
  AskingPlan asking;            // Run fills in what was spent before
  std::vector<Wanted> samples;  // all of the run, by index
  // What scores are over: `samples`, and what a replay has no answer to.
  std::vector<record::Request> requests;
  // What the run must keep to when it goes on, by name.
  std::map<std::string, std::string> manifest;
  std::optional<Judging> judging;  // none: it only asks
  // How answers are given out over the searches: search::HalvingPlan with this
  // eta, of as many answers as all may take. None: each may take its own.
  std::optional<int64_t> halving;
};

// Told how a run goes, from several threads, one call at a time. Indexes are
// those of the plan's samples.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // What the store has from before.
  virtual void OnKnownAnswer(const record::Generation& answer) = 0;
  virtual void OnKnownVerdict(const record::Outcome& outcome) = 0;
  // What is going on.
  virtual void OnAsking(size_t index, const std::string& step) = 0;
  virtual void OnJudging(size_t index, const std::string& step) = 0;
  // What is in the store now.
  virtual void OnAnswer(size_t index, const record::Generation& answer) = 0;
  virtual void OnVerdict(size_t index,
                         const record::Evaluation& evaluation) = 0;
  // The sample stays open; a later run may have more luck.
  virtual void OnUnanswered(size_t index, const std::string& why) = 0;
  // Something about the machine.
  virtual void OnNotice(const std::string& text) = 0;
  // Nothing more will come of the sample in this call; `before`: nothing was
  // left to do when it began.
  virtual void OnSampleEnd(size_t /*index*/, bool /*before*/) {}
};

struct RunResult {
  AskingResult asking;
  std::vector<record::Evaluation> evaluations;  // those of this call
  // Why an answer or a verdict could not be kept; it ended the run.
  std::optional<base::Error> not_kept;
};

// Asks the model for what the store still lacks and judges it at the same time.
// Of a conversation (AskingPlan::conversation) the next question follows the
// verdict, and the best turn is judged once more at the end
// (Evaluation::confirms), since it was chosen by what it was judged to be.
// All is in the store as soon as it is there, so that the same call goes on
// after any end. A store that was begun differently is a usage Error.
base::Result<RunResult> Run(const RunPlan& plan, store::Store* store,
                            RunObserver* observer, const std::stop_token& stop);

}  // namespace kb::run
