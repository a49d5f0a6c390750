#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/decision.h"
#include "record/generation.h"
#include "stats/bootstrap.h"

namespace kb::analysis {

// An ask of a search, what became of it, and what it cost.
struct SearchTurn {
  record::Ask ask;
  std::optional<record::Told> told;  // none: it was still open
  int64_t tokens = 0;                // read and written
  std::optional<double> usd;
};

// The search of one sample, its turns in their order.
struct Search {
  std::string problem_id;
  int64_t sample = 0;
  std::vector<SearchTurn> turns;
  // The turn that counts (BestTurn), of those that were told.
  std::optional<int64_t> best;
  std::string problem_hash = {};
  std::string model = {};
};

// The searches of a run in the order in which they began. Samples of several
// models are different ones.
std::vector<Search> SearchesOf(const std::vector<record::Decision>& decisions,
                               const std::vector<record::Generation>& answers);

// The turns that were better than all before them.
std::vector<int64_t> Improvements(const Search& search);

// Minutes: that answers and judgements took, as if one followed the other.
enum class SearchCost { kAnswers, kTokens, kUsd, kMinutes };

// The best program so far against what was paid until then: of each search
// max(1, speedup of the best correct program), as one keeps eager PyTorch
// where it is faster; over searches the geometric mean. Around it, of
// kLeastProblems searches and more, its bootstrap 95 % interval; of fewer, from
// the worst search to the best. A search that has ended stays where it was.
// These are the figures that the search saw.
struct BestSoFar {
  SearchCost cost = SearchCost::kAnswers;
  std::vector<double> at;  // from 0 to the most that a search cost
  std::vector<stats::Interval> best;
  int64_t searches = 0;
};
// None: there are no searches, or their cost in that unit is not known or
// nothing.
std::optional<BestSoFar> BestSoFarOf(const std::vector<Search>& searches,
                                     SearchCost cost);

}  // namespace kb::analysis
