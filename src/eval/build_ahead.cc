#include "build_ahead.h"

#include <fmt/format.h>

#include <utility>

namespace kb::eval {

BuildAhead::BuildAhead(TaskQueue* queue, BuiltQueue* built,
                       BuildCandidate build, int jobs, Hooks hooks,
                       std::stop_token stop)
    : queue_(queue),
      built_(built),
      build_(std::move(build)),
      hooks_(std::move(hooks)),
      forward_stop_(std::move(stop), [this] { own_stop_.request_stop(); }),
      working_(jobs) {
  for (int i = 0; i < jobs; ++i) workers_.emplace_back([this, i] { Work(i); });
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

void BuildAhead::Announce(const Task& task) {
  {
    const base::MutexLock lock(&mutex_);
    if (first_) return;
    first_ = task;
  }
  changed_.NotifyAll();
}

std::optional<std::pair<size_t, Task>> BuildAhead::Take(
    const std::string& row, const std::stop_token& stop) {
  const Profile::Span span(hooks_.profile, row, Phase::kWait, "");
  return queue_->Take(stop);
}

// Who comes again takes his old place, before what has not begun.
int64_t BuildAhead::OrderOf(size_t index) {
  const base::MutexLock lock(&mutex_);
  const auto next = static_cast<int64_t>(orders_.size());
  return orders_.emplace(index, next).first->second;
}

base::Result<compile::Artifact> BuildAhead::Build(const std::string& row,
                                                  const Task& task,
                                                  const std::stop_token& stop) {
  const Profile::Span span(hooks_.profile, row, Phase::kBuild,
                           task.problem.id + " " + task.candidate.name);
  return build_(task, stop);
}

void BuildAhead::Work(int slot) {
  const std::string row = fmt::format("build {}", slot + 1);
  const std::stop_token stop = own_stop_.get_token();
  while (auto taken = Take(row, stop)) {
    auto built = std::make_unique<Built>();
    built->index = taken->first;
    built->order = OrderOf(built->index);
    built->task = std::move(taken->second);
    built->group = GroupOf(built->task);
    if (!hooks_.admit(built.get())) continue;
    hooks_.on_start(built->index);
    Announce(built->task);
    built->artifact = Build(row, built->task, stop);
    built_->Add(std::move(built));
  }
  bool last = false;
  {
    const base::MutexLock lock(&mutex_);
    last = --working_ == 0;
  }
  if (last) built_->Close();
  changed_.NotifyAll();
}

}  // namespace kb::eval
