#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "eval/profile.h"
#include "eval/task_queue.h"
#include "jail/gaps.h"
#include "lane/lane.h"
#include "record/evaluation.h"

namespace kb::eval {

// What a watcher is told. Called from several threads, one call at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  // A step of task `index` begins: "compiling", "loading", "trial 3 of 15", ...
  virtual void OnStep(size_t index, const std::string& step) = 0;
  // The evaluation of task `index` is final. Come in no fixed order.
  virtual void OnDone(size_t index, const record::Evaluation& evaluation) = 0;
  // Something about the machine that whoever watches should know.
  virtual void OnNotice(const std::string& /*text*/) {}
};

struct SessionOptions {
  std::vector<lane::LaneOptions> lanes;   // one or more; devices of one model
  std::string isolation;                  // name of lane.isolation, for results
  std::vector<jail::Gap> isolation_gaps;  // noted in every result
  int compile_jobs = 2;                   // at the same time, outside the lane
  Profile* profile = nullptr;             // is told what everybody does
};

// Judges tasks on the lanes as they come, until the queue is closed: builds
// ahead in parallel, gives each lane what belongs to its open problem first and
// what waits longest else (an index that comes again has its old place), starts
// the next jail while the current one runs, replaces an oracle that dies, and
// tries again, once on the same lane and once on another, before it says
// infra_error. A lane that fails with two tasks one after another takes no more
// if there is another one.
//
// An Error is about the whole session (no lane could be started, interrupted);
// evaluations that were reported before stay valid.
base::Result<void> JudgeQueue(TaskQueue* queue,
                              const compile::Compiler& compiler,
                              const SessionOptions& options, Observer* observer,
                              std::stop_token stop);

// The same for tasks that are all there; their indexes are those of the list.
// Those at several sizes become one evaluation each (eval/every_size.h).
base::Result<void> JudgeAll(const std::vector<Task>& tasks,
                            const compile::Compiler& compiler,
                            const SessionOptions& options, Observer* observer,
                            std::stop_token stop);

}  // namespace kb::eval
