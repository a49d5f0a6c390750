#include "build_ahead.h"

#include <algorithm>
#include <utility>

#include "open_lane.h"

namespace kb::eval {

std::string GroupOf(const Task& task) {
  return OpenKey(task.problem, task.precision, task.policy);
}

BuildAhead::BuildAhead(TaskQueue* queue, BuildCandidate build, int jobs,
                       Hooks hooks, std::stop_token stop)
    : queue_(queue),
      build_(std::move(build)),
      hooks_(std::move(hooks)),
      forward_stop_(std::move(stop), [this] { own_stop_.request_stop(); }),
      working_(jobs) {
  for (int i = 0; i < jobs; ++i) workers_.emplace_back([this] { Work(); });
}

BuildAhead::~BuildAhead() {
  own_stop_.request_stop();
  workers_.clear();  // joins
}

std::optional<Task> BuildAhead::First() {
  const base::MutexLock lock(&mutex_);
  changed_.Wait(&mutex_, own_stop_.get_token(), [this]() KB_REQUIRES(mutex_) {
    return first_.has_value() || working_ == 0;
  });
  return first_;
}

std::unique_ptr<Built> BuildAhead::Next(const std::string& group) {
  const base::MutexLock lock(&mutex_);
  changed_.Wait(&mutex_, own_stop_.get_token(), [this]() KB_REQUIRES(mutex_) {
    return !built_.empty() || working_ == 0;
  });
  if (own_stop_.stop_requested()) return nullptr;
  return TakeLocked(group);
}

std::unique_ptr<Built> BuildAhead::TryNext(const std::string& group) {
  const base::MutexLock lock(&mutex_);
  return TakeLocked(group);
}

std::unique_ptr<Built> BuildAhead::TakeLocked(const std::string& group) {
  if (built_.empty()) return nullptr;
  auto chosen = std::ranges::find_if(
      built_, [&](const auto& built) { return built->group == group; });
  if (chosen == built_.end())
    chosen = std::ranges::min_element(
        built_, {}, [](const auto& built) { return built->order; });
  std::unique_ptr<Built> built = std::move(*chosen);
  built_.erase(chosen);
  return built;
}

void BuildAhead::Announce(const Task& task) {
  {
    const base::MutexLock lock(&mutex_);
    if (first_) return;
    first_ = task;
  }
  changed_.NotifyAll();
}

void BuildAhead::Work() {
  const std::stop_token stop = own_stop_.get_token();
  while (auto taken = queue_->Take(stop)) {
    auto built = std::make_unique<Built>();
    built->index = taken->first;
    built->order = taken_++;
    built->task = std::move(taken->second);
    built->group = GroupOf(built->task);
    if (!hooks_.admit(built.get())) continue;
    hooks_.on_start(built->index);
    Announce(built->task);
    built->artifact = build_(built->task, stop);
    {
      const base::MutexLock lock(&mutex_);
      built_.push_back(std::move(built));
    }
    changed_.NotifyAll();
  }
  {
    const base::MutexLock lock(&mutex_);
    --working_;
  }
  changed_.NotifyAll();
}

}  // namespace kb::eval
