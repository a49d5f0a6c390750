#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/result.h"
#include "record/decision.h"
#include "search/strategy.h"

namespace kb::search {

// What a search of one sample may take.
struct Limits {
  int64_t answers = 1;   // in all
  int64_t parallel = 1;  // asks that may be open at a time
  double seconds = 0;    // no ask after so many, of what was told; 0: no limit
  bool operator==(const Limits&) const = default;
};

// One search, of one sample, with its log. Which ask comes next never depends
// on who answers first: outcomes reach the strategy in the order of their asks,
// and an ask is put as early as `parallel` allows. So with the same answers a
// search decides the same in any number of pieces.
class Episode {
 public:
  // `given`: turn 1 is a program that is there already.
  Episode(std::unique_ptr<Strategy> strategy, const Limits& limits, bool given);

  // Takes over the log of an earlier call, whose asks the strategy must come
  // to again: an Error says where it does not. Before any other call.
  base::Result<void> Resume(const std::vector<record::Decision>& log);

  // Asks whose outcome is not told, in their order: after Resume those that
  // were open when the log ended.
  std::vector<record::Ask> Open() const;
  // The asks that may be put now, each returned once.
  std::vector<record::Ask> TakeAsks();
  // Of an open ask, in any order.
  void Tell(record::Told told);
  // What was decided since the last call, in order.
  std::vector<record::Decision> TakeLog();

  // Allows more answers, or fewer than there may still be.
  void Limit(int64_t answers) { limits_.answers = answers; }
  // No further ask.
  void Close() { closed_ = true; }
  bool is_closed() const { return closed_; }
  // Nothing is open, and no ask can come under these limits.
  bool IsOver() const;
  int64_t asked() const { return asked_; }
  // What the strategy was told, in the order of turns.
  const std::vector<record::Told>& told() const { return told_; }
  const record::Ask& AskOf(int64_t turn) const { return asks_.at(turn); }

 private:
  void Advance();
  bool PutNext();
  bool MayAsk() const;
  void Deliver(record::Told told);

  std::unique_ptr<Strategy> strategy_;
  Limits limits_;
  bool given_;
  bool closed_ = false;
  int64_t asked_ = 0;
  double seconds_ = 0;
  std::map<int64_t, record::Ask> asks_;    // all, by turn
  std::deque<int64_t> open_;               // turns that are not delivered
  std::map<int64_t, record::Told> early_;  // told, but not all before them are
  std::vector<record::Told> told_;
  std::vector<record::Ask> fresh_;
  std::vector<record::Decision> log_;
};

}  // namespace kb::search
