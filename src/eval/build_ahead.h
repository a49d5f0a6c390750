#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "compile/compiler.h"
#include "eval/task_queue.h"

namespace kb::eval {

// What belongs to the same open problem.
std::string GroupOf(const Task& task);

// A task that was admitted and built.
struct Built {
  size_t index = 0;
  int64_t order = 0;  // in which it left the queue
  Task task;
  std::string group;
  std::vector<std::string> notes;  // of the static check
  base::Result<compile::Artifact> artifact = base::Fail("{}", "not built");
};

// Builds a candidate for the session's device. Called from several threads; an
// Error is our failure, never the candidate's.
using BuildCandidate = std::function<base::Result<compile::Artifact>(
    const Task&, std::stop_token)>;

// Builds a queue's tasks on a few threads, ahead of the lane.
class BuildAhead {
 public:
  struct Hooks {
    // Before a build; false: the task is dealt with. May add notes.
    std::function<bool(Built*)> admit;
    std::function<void(size_t index)> on_start;
  };

  BuildAhead(TaskQueue* queue, BuildCandidate build, int jobs, Hooks hooks,
             std::stop_token stop);
  ~BuildAhead();
  BuildAhead(const BuildAhead&) = delete;
  BuildAhead& operator=(const BuildAhead&) = delete;

  // The first task whose build has begun. Waits for one; none: there will be
  // none, or `stop`.
  std::optional<Task> First();
  // A built task: of `group` if there is one, else the one that was added
  // first. Waits for one; null: there will be none any more, or `stop`.
  std::unique_ptr<Built> Next(const std::string& group);
  // The same without waiting.
  std::unique_ptr<Built> TryNext(const std::string& group);

 private:
  void Work();
  void Announce(const Task& task);
  std::unique_ptr<Built> TakeLocked(const std::string& group)
      KB_REQUIRES(mutex_);

  TaskQueue* queue_;
  BuildCandidate build_;
  Hooks hooks_;
  std::stop_source own_stop_;  // of destruction
  std::stop_callback<std::function<void()>> forward_stop_;
  base::Mutex mutex_;
  base::Condition changed_;
  std::optional<Task> first_ KB_GUARDED_BY(mutex_);
  std::list<std::unique_ptr<Built>> built_ KB_GUARDED_BY(mutex_);
  int working_ KB_GUARDED_BY(mutex_);
  std::atomic<int64_t> taken_ = 0;
  std::vector<std::jthread> workers_;
};

}  // namespace kb::eval
