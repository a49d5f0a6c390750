#include "compile_ahead.h"

#include <utility>

namespace kb::eval {

CompileAhead::CompileAhead(const std::vector<Task>& tasks,
                           std::vector<size_t> order,
                           const compile::Compiler& compiler, std::string arch,
                           int jobs,
                           const std::function<void(size_t)>& on_start,
                           std::stop_token stop)
    : tasks_(tasks),
      order_(std::move(order)),
      compiler_(compiler),
      arch_(std::move(arch)),
      on_start_(on_start),
      stop_(std::move(stop)) {
  for (int i = 0; i < jobs; ++i) workers_.emplace_back([this] { Work(); });
}

CompileAhead::~CompileAhead() {
  {
    const std::lock_guard lock(mutex_);
    next_ = order_.size();
  }
  workers_.clear();  // joins
}

const CompileAhead::Answer& CompileAhead::Get(size_t index) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return answers_.contains(index); });
  return answers_.at(index);
}

const CompileAhead::Answer* CompileAhead::Peek(size_t index) {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(index);
  return found == answers_.end() ? nullptr : &found->second;
}

void CompileAhead::Work() {
  while (true) {
    size_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= order_.size()) return;
      index = order_[next_++];
    }
    on_start_(index);
    const Task& task = tasks_[index];
    Answer answer =
        compiler_.Compile(task.candidate, task.policy, arch_, stop_);
    {
      const std::lock_guard lock(mutex_);
      answers_.emplace(index, std::move(answer));
    }
    changed_.notify_all();
  }
}

}  // namespace kb::eval
