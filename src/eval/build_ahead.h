#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "built_queue.h"
#include "compile/compiler.h"
#include "eval/profile.h"
#include "eval/task_queue.h"

namespace kb::eval {

// Builds a candidate for the session's devices. Called from several threads; an
// Error is our failure, never the candidate's.
using BuildCandidate = std::function<base::Result<compile::Artifact>(
    const Task&, std::stop_token)>;

// Builds a queue's tasks on a few threads, ahead of the lanes.
class BuildAhead {
 public:
  struct Hooks {
    // Before a build; false: the task is dealt with. May add notes.
    std::function<bool(Built*)> admit;
    std::function<void(size_t index)> on_start;
    Profile* profile = nullptr;
  };

  // `built` is closed when nothing is left to build.
  BuildAhead(TaskQueue* queue, BuiltQueue* built, BuildCandidate build,
             int jobs, Hooks hooks, std::stop_token stop);
  ~BuildAhead();
  BuildAhead(const BuildAhead&) = delete;
  BuildAhead& operator=(const BuildAhead&) = delete;

  // The first task whose build has begun. Waits for one; none: there will be
  // none, or `stop`.
  std::optional<Task> First();

 private:
  void Work(int slot);
  std::optional<std::pair<size_t, Task>> Take(const std::string& row,
                                              const std::stop_token& stop);
  int64_t OrderOf(size_t index);
  base::Result<compile::Artifact> Build(const std::string& row,
                                        const Task& task,
                                        const std::stop_token& stop);
  void Announce(const Task& task);

  TaskQueue* queue_;
  BuiltQueue* built_;
  BuildCandidate build_;
  Hooks hooks_;
  std::stop_source own_stop_;  // of destruction
  std::stop_callback<std::function<void()>> forward_stop_;
  base::Mutex mutex_;
  base::Condition changed_;
  std::optional<Task> first_ KB_GUARDED_BY(mutex_);
  int working_ KB_GUARDED_BY(mutex_);
  // In which indexes left the queue first.
  std::map<size_t, int64_t> orders_ KB_GUARDED_BY(mutex_);
  std::vector<std::jthread> workers_;
};

}  // namespace kb::eval
