#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "eval/session.h"
#include "eval/task_queue.h"
#include "record/evaluation.h"

namespace kb::eval {

// Makes one evaluation of a task at several sizes (Task::further). Each size is
// judged as a task of its own, by the same procedure as any other, the next one
// when the one before was correct. Tasks at one size pass through unchanged.
//
// Stands before a session: takes the tasks, is its observer, and hands on to
// `shown` what it is told. Add() and Close() may come from another thread.
// Tasks of one index that are there at the same time differ in their turn.
class EverySize : public Observer {
 public:
  explicit EverySize(Observer* shown) : shown_(shown) {}

  TaskQueue* queue() { return &queue_; }  // for the session
  void Add(size_t index, Task task);
  // No more will come; the queue is closed when all that came are done.
  void Close();

  void OnStep(size_t index, const std::string& step) override;
  void OnDone(size_t index, const record::Evaluation& evaluation) override;
  void OnNotice(const std::string& text) override { shown_->OnNotice(text); }

 private:
  struct Open {
    record::Size several;
    std::string hash;
    std::vector<Task> tasks;  // at each size, in order
    std::vector<record::Evaluation> done;
  };

  Observer* const shown_;
  TaskQueue queue_;
  base::Mutex mutex_;
  // By index and turn.
  std::map<std::pair<size_t, int64_t>, Open> open_ KB_GUARDED_BY(mutex_);
  bool closed_ KB_GUARDED_BY(mutex_) = false;
};

// Of a problem at all its sizes; its own hash where it has no further ones.
std::string HashOver(const record::Problem& problem,
                     const std::vector<record::Problem>& further);

// One evaluation of those at each size, of which none but the last may be other
// than correct: the last one is, or these are all sizes. It is correct where
// all are; its speedups are the geometric means (stats/geometric_mean.h) of
// theirs, where all have one. `hash` is what it says of the problem.
record::Evaluation OverSizes(const record::Size& several,
                             const std::string& hash,
                             const std::vector<record::Evaluation>& at);

}  // namespace kb::eval
