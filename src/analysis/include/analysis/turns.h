#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/scores.h"
#include "record/outcome.h"

namespace kb::analysis {

// How well an answer did, by what it was judged to be: correct beats what is
// not; of correct ones the higher speedup by device time is better, and any
// beats none; of the others the one that came further: a wrong result beats a
// program that fails while it runs, that one which cannot be loaded, that one
// which does not compile, and this an answer that breaks the rules or has no
// program.
struct TurnRank {
  int stage = 0;
  double speedup = 0;
  auto operator<=>(const TurnRank&) const = default;
};
TurnRank RankOf(std::optional<record::Verdict> verdict,
                std::optional<double> speedup);

// Which turn of a sample counts: the best; of equals the earliest correct one,
// else the latest. `ranks` must not be empty.
size_t BestTurn(const std::vector<TurnRank>& ranks);

// What samples that take several turns are after `up_to` of them: one entry for
// each, of its best turn, which cost what all these turns did. Entries of other
// samples stay as they are.
enum class Figure {
  kChosenBy,   // as the best turn was judged when it was chosen
  kConfirmed,  // as it was judged once more, if it was
};
std::vector<Entry> FoldTurns(const std::vector<Entry>& entries, int64_t up_to,
                             Figure figure);

// The turns after which scores are shown: all of the first twenty, every tenth
// of the others, and the last. Empty: no sample has several.
std::vector<int64_t> TurnsToShow(const std::vector<Entry>& entries);

// Makes an entry's cost and seconds those of all its answers up to that turn,
// also of those that nobody judged. As they are where the answers are not
// known.
void AddCosts(int64_t up_to, Entry* entry);

// What a run's samples were after so many turns, and had taken by then.
struct TurnEntries {
  int64_t turn = 0;
  std::vector<Entry> entries;  // FoldTurns
};
struct TurnRow {
  std::string run;
  int64_t turn = 0;
  std::vector<double> fast;  // per p
  int64_t tokens = 0;
  std::optional<double> usd;  // absent: not known of all answers
  double minutes = 0;         // answers and judgements, one after the other
};
std::vector<TurnRow> ScoreTurns(const std::vector<TurnEntries>& by_turn,
                                ScoreOptions options);

// How much better than it is a run looks by the figures that its best turns
// were chosen by, which is what choosing the largest of several does.
struct Optimism {
  std::string run;
  int64_t samples = 0;    // whose best turn was judged once more
  int64_t not_again = 0;  // of these: not correct any more
  int64_t timed = 0;      // with a speedup both times
  double chosen_by = 0;   // geometric means of these; 0: there is none
  double confirmed = 0;
};
std::vector<Optimism> OptimismOf(const std::vector<Entry>& folded);

}  // namespace kb::analysis
