#include "eval/task_queue.h"

namespace kb::eval {

void TaskQueue::Add(size_t index, Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.emplace_back(index, std::move(task));
  }
  changed_.notify_one();
}

void TaskQueue::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

std::optional<std::pair<size_t, Task>> TaskQueue::Take(
    const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const bool any =
      changed_.wait(lock, stop, [this] { return closed_ || !tasks_.empty(); });
  if (!any || stop.stop_requested() || tasks_.empty()) return std::nullopt;
  auto task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

}  // namespace kb::eval
