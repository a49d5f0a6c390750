#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "compile/compiler.h"
#include "eval/session.h"

namespace kb::eval {

// Compiles tasks in their order on a few threads, ahead of the lane.
class CompileAhead {
 public:
  using Answer = base::Result<compile::Artifact>;

  CompileAhead(const std::vector<Task>& tasks, std::vector<size_t> order,
               const compile::Compiler& compiler, std::string arch, int jobs,
               const std::function<void(size_t)>& on_start,
               std::stop_token stop);
  ~CompileAhead();
  CompileAhead(const CompileAhead&) = delete;
  CompileAhead& operator=(const CompileAhead&) = delete;

  // Waits for task `index`'s answer.
  const Answer& Get(size_t index);
  // The answer when it is there already.
  const Answer* Peek(size_t index);

 private:
  void Work();

  const std::vector<Task>& tasks_;
  std::vector<size_t> order_;
  const compile::Compiler& compiler_;
  std::string arch_;
  std::function<void(size_t)> on_start_;
  std::stop_token stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t next_ = 0;                   // guarded by mutex_
  std::map<size_t, Answer> answers_;  // guarded by mutex_; only grows
  std::vector<std::jthread> workers_;
};

}  // namespace kb::eval
