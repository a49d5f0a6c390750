#include "backlog.h"

#include <utility>

namespace kb::run {

void Backlog::Add(Wanted wanted) {
  {
    const base::MutexLock lock(&mutex_);
    auto& queue = QueueOf(wanted);
    queue.push_back(std::move(wanted));
  }
  changed_.NotifyAll();
}

void Backlog::AddElsewhere() {
  const base::MutexLock lock(&mutex_);
  ++elsewhere_;
}

void Backlog::Done() {
  {
    const base::MutexLock lock(&mutex_);
    --elsewhere_;
  }
  changed_.NotifyAll();
}

std::optional<Wanted> Backlog::Take(const std::stop_token& stop) {
  const base::MutexLock lock(&mutex_);
  const auto may_begin = [this]() KB_REQUIRES(mutex_) {
    return !fresh_.empty() && elsewhere_ < most_begun_;
  };
  changed_.Wait(&mutex_, stop, [&]() KB_REQUIRES(mutex_) {
    return !begun_.empty() || may_begin() ||
           (fresh_.empty() && elsewhere_ == 0);
  });
  if (stop.stop_requested()) return std::nullopt;
  std::deque<Wanted>& from = begun_.empty() ? fresh_ : begun_;
  if (from.empty()) return std::nullopt;
  Wanted wanted = std::move(from.front());
  from.pop_front();
  ++elsewhere_;
  return wanted;
}

void Backlog::PutBack(Wanted wanted) {
  {
    const base::MutexLock lock(&mutex_);
    --elsewhere_;
    auto& queue = QueueOf(wanted);
    queue.push_front(std::move(wanted));
  }
  changed_.NotifyAll();
}

void Backlog::WaitForElsewhere(const std::stop_token& stop) {
  const base::MutexLock lock(&mutex_);
  changed_.Wait(&mutex_, stop,
                [this]() KB_REQUIRES(mutex_) { return elsewhere_ == 0; });
}

size_t Backlog::Size() {
  const base::MutexLock lock(&mutex_);
  return fresh_.size() + begun_.size() + elsewhere_;
}

void Backlog::Drop() {
  const base::MutexLock lock(&mutex_);
  fresh_.clear();
  begun_.clear();
}

}  // namespace kb::run
