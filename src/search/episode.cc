#include "search/episode.h"

#include <utility>

#include "base/check.h"

namespace kb::search {

using base::Result;
using record::Ask;
using record::AskKind;
using record::Decision;
using record::Told;

Episode::Episode(std::unique_ptr<Strategy> strategy, const Limits& limits,
                 bool given)
    : strategy_(std::move(strategy)), limits_(limits), given_(given) {}

Result<void> Episode::Resume(const std::vector<Decision>& log) {
  KB_CHECK(asked_ == 0);
  for (const Decision& line : log) {
    if (line.told) {
      if (open_.empty() || open_.front() != line.told->turn)
        return base::Fail(
            "the search's log tells of turn {}, which is not the oldest that "
            "was open",
            line.told->turn);
      Deliver(*line.told);
      continue;
    }
    const Ask logged = line.ask.value_or(Ask());
    if (!PutNext() || asks_.at(asked_) != logged)
      return base::Usage(
          "turn {} of sample {} of {} was decided otherwise by the kernelbench "
          "that began this run; go on with that version, or name another "
          "--store",
          logged.turn, line.sample, line.problem_id);
  }
  fresh_.clear();
  log_.clear();
  return base::Ok();
}

std::vector<Ask> Episode::Open() const {
  std::vector<Ask> asks;
  for (const int64_t turn : open_)
    if (!early_.contains(turn)) asks.push_back(asks_.at(turn));
  return asks;
}

std::vector<Ask> Episode::TakeAsks() {
  Advance();
  return std::exchange(fresh_, {});
}

void Episode::Tell(Told told) {
  KB_CHECK(asks_.contains(told.turn));
  const int64_t turn = told.turn;
  early_.emplace(turn, std::move(told));
  Advance();
}

std::vector<Decision> Episode::TakeLog() { return std::exchange(log_, {}); }

bool Episode::IsOver() const { return open_.empty() && fresh_.empty(); }

// Before an outcome is passed on, all is asked that may be: both in an order
// that no clock decides.
void Episode::Advance() {
  while (true) {
    while (MayAsk() && PutNext()) {
    }
    if (open_.empty()) return;
    const auto next = early_.find(open_.front());
    if (next == early_.end()) return;
    Told told = std::move(next->second);
    early_.erase(next);
    Deliver(std::move(told));
  }
}

bool Episode::MayAsk() const {
  if (closed_ || asked_ >= limits_.answers) return false;
  if (std::ssize(open_) >= limits_.parallel) return false;
  return limits_.seconds <= 0 || seconds_ < limits_.seconds;
}

bool Episode::PutNext() {
  const int64_t turn = asked_ + 1;
  std::optional<Ask> ask;
  if (given_ && turn == 1)
    ask = Ask{1, AskKind::kGiven, {}, ""};
  else if (!given_ || !told_.empty())
    ask = strategy_->Next(turn);
  if (!ask) return false;
  KB_CHECK(ask->turn == turn);
  asked_ = turn;
  open_.push_back(turn);
  asks_.emplace(turn, *ask);
  fresh_.push_back(*ask);
  log_.push_back({"", "", "", 0, ask, std::nullopt});
  return true;
}

void Episode::Deliver(Told told) {
  open_.pop_front();
  seconds_ += told.seconds;
  strategy_->Tell(told);
  log_.push_back({"", "", "", 0, std::nullopt, told});
  told_.push_back(std::move(told));
}

}  // namespace kb::search
