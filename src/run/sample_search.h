#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/decision.h"
#include "run/run.h"
#include "search/episode.h"
#include "store/store.h"

namespace kb::run {

// The search of one sample while a run works on it.
class SampleSearch {
 public:
  // As the store has it: `log` is its part of Store::Decisions.
  static base::Result<SampleSearch> Create(
      const RunPlan& plan, const Wanted& sample, const store::Store& store,
      const std::vector<record::Decision>& log);

  // Answers that are to be judged, of those that were there before: without a
  // verdict, or with one of an earlier ruler alone.
  std::vector<record::Generation> TakeUnjudged();
  // Asks that are to be put, each once. None before all of TakeUnjudged that
  // an earlier ruler had measured is told of: questions show it.
  std::vector<Wanted> TakeAsks();
  // What was decided since the last call.
  std::vector<record::Decision> TakeLog();

  // What became of an ask, or of its answer when it was judged again.
  void Tell(Turn turn);
  // The best turn, if it was chosen among several, is correct, and was not
  // judged once more.
  const record::Generation* ToBeConfirmed() const;

  bool HasTurns() const { return !turns_.empty(); }
  // Values of the answers in their order, search::ValueOf.
  std::vector<double> Values() const;
  search::Episode& episode() { return *episode_; }
  const Wanted& sample() const { return sample_; }

  // For the run: asks that are at work, and whether one of them waits for a
  // later call.
  size_t at_work = 0;
  bool is_stuck = false;
  bool is_over = false;   // no further turn comes
  bool is_ended = false;  // and nothing else

 private:
  SampleSearch(const RunPlan& plan, Wanted sample);
  Wanted WantedFor(const record::Ask& ask);
  std::vector<Turn> InOrder() const;

  const RunPlan* plan_;
  Wanted sample_;
  std::unique_ptr<search::Episode> episode_;
  std::map<int64_t, Turn> turns_;
  std::vector<record::Generation> unjudged_;
  std::set<int64_t> again_;  // turns that are judged again by today's ruler
  std::vector<record::Ask> resumed_;       // that have no answer
  std::vector<record::Decision> old_log_;  // made up for a store without one
  std::set<int64_t> confirmed_;
};

// What a strategy is told of a turn.
record::Told ToldOf(const Turn& turn);

// That of a conversation until it asks for `turn`, or for the first that is
// not there.
std::vector<record::Decision> ConversationLog(
    const std::map<int64_t, Turn>& turns, int64_t turn);

// The search of a sample up to a turn, which is its last ask. A usage Error
// when the log does not have it.
base::Result<std::unique_ptr<search::Episode>> EpisodeUpTo(
    const std::vector<record::Decision>& log, int64_t turn);

// What the question for an ask shows. `turns` has all that was told.
Shown ShownFor(const record::Ask& ask, const search::Episode& episode,
               const std::map<int64_t, Turn>& turns,
               const prompt::SearchWriter* texts);

}  // namespace kb::run
