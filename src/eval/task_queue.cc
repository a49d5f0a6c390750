#include "eval/task_queue.h"

namespace kb::eval {

void TaskQueue::Add(size_t index, Task task) {
  {
    const base::MutexLock lock(&mutex_);
    tasks_.emplace_back(index, std::move(task));
    ++added_;
  }
  changed_.NotifyOne();
}

void TaskQueue::Close() {
  {
    const base::MutexLock lock(&mutex_);
    closed_ = true;
  }
  changed_.NotifyAll();
}

std::optional<std::pair<size_t, Task>> TaskQueue::Take(
    const std::stop_token& stop) {
  const base::MutexLock lock(&mutex_);
  const bool any = changed_.Wait(&mutex_, stop, [this]() KB_REQUIRES(mutex_) {
    return closed_ || !tasks_.empty();
  });
  if (!any || stop.stop_requested() || tasks_.empty()) return std::nullopt;
  auto task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

size_t TaskQueue::Added() const {
  const base::MutexLock lock(&mutex_);
  return added_;
}

}  // namespace kb::eval
