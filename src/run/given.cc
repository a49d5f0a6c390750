#include "run/given.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "analysis/turns.h"

namespace kb::run {
namespace {

using base::Result;
using record::Generation;

// The turn of the sample that counts, by how they were judged at first.
Result<std::optional<int64_t>> BestTurnOf(const store::Store& store,
                                          const Wanted& wanted,
                                          int64_t sample) {
  store::Filter filter;
  filter.problem_id = wanted.problem->id;
  filter.problem_hash = wanted.Hash();
  filter.sample = sample;
  KB_ASSIGN(const auto outcomes, store.Outcomes(filter));
  std::vector<int64_t> turns;
  std::vector<analysis::TurnRank> ranks;
  for (const record::Outcome& outcome : outcomes) {
    if (outcome.confirms || !outcome.verdict) continue;
    turns.push_back(outcome.turn);
    ranks.push_back(analysis::RankOf(outcome.verdict, outcome.speedup));
  }
  if (ranks.empty()) return std::optional<int64_t>();
  return std::optional<int64_t>(turns[analysis::BestTurn(ranks)]);
}

}  // namespace

Result<std::optional<Generation>> GivenFrom(const store::Store& store,
                                            const std::string& run,
                                            const Wanted& wanted,
                                            int64_t sample,
                                            std::optional<int64_t> turn) {
  if (!turn) {
    KB_ASSIGN(turn, BestTurnOf(store, wanted, sample));
  }
  store::GenerationFilter filter;
  filter.problem_id = wanted.problem->id;
  filter.sample = sample;
  filter.turn = turn.value_or(1);
  KB_ASSIGN(auto found, store.Generations(filter));
  for (Generation& kept : found) {
    if (kept.problem_hash != wanted.Hash() ||
        kept.status != record::GenerationStatus::kComplete)
      continue;
    Generation given;
    given.served_model =
        fmt::format("from {}/{}:{}", run, kept.sample, kept.turn);
    given.answer = kept.answer.empty()
                       ? fmt::format("```\n{}\n```", kept.source)
                       : std::move(kept.answer);
    given.status = kept.status;
    given.candidate_name = std::move(kept.candidate_name);
    given.source = std::move(kept.source);
    given.usd = 0;
    return std::optional<Generation>(std::move(given));
  }
  return std::optional<Generation>();
}

}  // namespace kb::run
