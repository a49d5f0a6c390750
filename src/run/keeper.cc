#include "keeper.h"

#include <utility>

namespace kb::run {

Keeper::Keeper(store::Store* store, RunObserver* observer,
               std::stop_source stop)
    : store_(store), observer_(observer), stop_(std::move(stop)) {}

template <typename T>
bool Keeper::Kept(const base::Result<T>& result) {
  if (result) return true;
  if (!error_) error_ = result.error();
  stop_.request_stop();
  return false;
}

void Keeper::OnStep(size_t index, const std::string& step) {
  const base::MutexLock lock(&mutex_);
  observer_->OnJudging(index, step);
}

void Keeper::OnDone(size_t index, const record::Evaluation& evaluation) {
  const base::MutexLock lock(&mutex_);
  if (!Kept(store_->Append(evaluation))) return;
  evaluations_.push_back(evaluation);
  observer_->OnVerdict(index, evaluation);
}

void Keeper::OnKnownAnswer(const record::Generation& answer) {
  const base::MutexLock lock(&mutex_);
  observer_->OnKnownAnswer(answer);
}

void Keeper::OnKnownVerdict(const record::Outcome& outcome) {
  const base::MutexLock lock(&mutex_);
  observer_->OnKnownVerdict(outcome);
}

void Keeper::OnAsking(size_t index, const std::string& step) {
  const base::MutexLock lock(&mutex_);
  observer_->OnAsking(index, step);
}

bool Keeper::OnAnswer(size_t index, const record::Generation& answer) {
  const base::MutexLock lock(&mutex_);
  if (!Kept(store_->Append(answer))) return false;
  observer_->OnAnswer(index, answer);
  return true;
}

bool Keeper::OnDecisions(const std::vector<record::Decision>& decisions) {
  const base::MutexLock lock(&mutex_);
  return Kept(store_->AddDecisions(decisions));
}

void Keeper::OnUnanswered(size_t index, const std::string& why) {
  const base::MutexLock lock(&mutex_);
  observer_->OnUnanswered(index, why);
}

void Keeper::OnSampleEnd(size_t index, bool before) {
  const base::MutexLock lock(&mutex_);
  observer_->OnSampleEnd(index, before);
}

void Keeper::OnNotice(const std::string& text) {
  const base::MutexLock lock(&mutex_);
  observer_->OnNotice(text);
}

std::vector<record::Evaluation> Keeper::TakeEvaluations() {
  const base::MutexLock lock(&mutex_);
  return std::exchange(evaluations_, {});
}

std::optional<base::Error> Keeper::Error() {
  const base::MutexLock lock(&mutex_);
  return error_;
}

}  // namespace kb::run
