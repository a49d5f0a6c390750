#include "built_queue.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "open_lane.h"

namespace kb::eval {

std::string GroupOf(const Task& task) {
  return OpenKey(task.problem, task.precision, task.policy);
}

void BuiltQueue::Add(std::unique_ptr<Built> built) {
  {
    const base::MutexLock lock(&mutex_);
    tasks_.push_back(std::move(built));
  }
  changed_.NotifyAll();
}

void BuiltQueue::Reserve(size_t lane, const std::string& group) {
  const base::MutexLock lock(&mutex_);
  groups_[lane] = group;
}

void BuiltQueue::Close() {
  {
    const base::MutexLock lock(&mutex_);
    closed_ = true;
  }
  changed_.NotifyAll();
}

// What was taken may come back.
std::unique_ptr<Built> BuiltQueue::Next(size_t lane, const std::string& group,
                                        const std::stop_token& stop) {
  const base::MutexLock lock(&mutex_);
  ++waiting_;
  changed_.Wait(&mutex_, stop, [&]() KB_REQUIRES(mutex_) {
    return ChooseLocked(lane, group) != tasks_.end() ||
           (closed_ && taken_ == 0 && tasks_.empty());
  });
  --waiting_;
  if (stop.stop_requested()) return nullptr;
  return TakeLocked(lane, group);
}

std::unique_ptr<Built> BuiltQueue::TryNext(size_t lane,
                                           const std::string& group) {
  const base::MutexLock lock(&mutex_);
  return waiting_ > 0 ? nullptr : TakeLocked(lane, group);
}

void BuiltQueue::Finished() {
  {
    const base::MutexLock lock(&mutex_);
    --taken_;
  }
  changed_.NotifyAll();
}

void BuiltQueue::PutBack(std::unique_ptr<Built> built) {
  {
    const base::MutexLock lock(&mutex_);
    --taken_;
    tasks_.push_back(std::move(built));
  }
  changed_.NotifyAll();
}

bool BuiltQueue::HasOthers() const {
  const base::MutexLock lock(&mutex_);
  return lanes_ > 1;
}

bool BuiltQueue::Leave(size_t lane) {
  {
    const base::MutexLock lock(&mutex_);
    if (lanes_ == 1) return false;
    --lanes_;
    groups_.erase(lane);
  }
  changed_.NotifyAll();
  return true;
}

// The lower the sooner; none: the lane leaves it to others. To open a problem
// takes longer than to judge one candidate of it.
std::optional<int> BuiltQueue::RankLocked(size_t lane, const std::string& group,
                                          const Built& built,
                                          int64_t of_its_group) const {
  constexpr int64_t kWorthAnOpening = 2;
  // The last lane has to try what it failed on once more.
  if (built.failed_on == lane && lanes_ > 1) return std::nullopt;
  if (built.group == group) return 0;
  const bool open_elsewhere =
      std::ranges::any_of(groups_, [&](const auto& open) {
        return open.first != lane && open.second == built.group;
      });
  if (!open_elsewhere || built.failed_on != Built::kNoLane) return 1;
  if (of_its_group < kWorthAnOpening) return std::nullopt;
  return 2;
}

BuiltQueue::Tasks::iterator BuiltQueue::ChooseLocked(size_t lane,
                                                     const std::string& group) {
  std::map<std::string_view, int64_t> waiting;
  for (const auto& each : tasks_) ++waiting[each->group];
  auto chosen = tasks_.end();
  std::pair<int, int64_t> least{};
  for (auto each = tasks_.begin(); each != tasks_.end(); ++each) {
    const auto rank =
        RankLocked(lane, group, **each, waiting.at((*each)->group));
    if (!rank) continue;
    const std::pair key{*rank, (*each)->order};
    if (chosen != tasks_.end() && key >= least) continue;
    chosen = each;
    least = key;
  }
  return chosen;
}

std::unique_ptr<Built> BuiltQueue::TakeLocked(size_t lane,
                                              const std::string& group) {
  const auto chosen = ChooseLocked(lane, group);
  if (chosen == tasks_.end()) return nullptr;
  std::unique_ptr<Built> built = std::move(*chosen);
  tasks_.erase(chosen);
  ++taken_;
  groups_[lane] = built->group;
  return built;
}

}  // namespace kb::eval
