#include "run/given.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>
#include <vector>

#include "analysis/turns.h"

namespace kb::run {
namespace {

using base::Result;
using record::Generation;

// Whose sample it is; none: the run has no answer there. A usage Error when
// several models have one.
Result<std::optional<std::string>> ModelOf(const store::Store& store,
                                           const std::string& run,
                                           const Wanted& wanted,
                                           int64_t sample) {
  store::GenerationFilter light;
  light.problem_id = wanted.problem->id;
  light.sample = sample;
  light.with_texts = false;
  KB_ASSIGN(const auto found, store.Generations(light));
  std::set<std::string> models;
  for (const Generation& kept : found)
    if (kept.problem_hash == wanted.Hash()) models.insert(kept.model);
  if (models.size() > 1)
    return base::Usage(
        "--from {}/{}: several models have that sample of {} there ({}); name "
        "a run of one model, such as one of those that were merged",
        run, sample, wanted.problem->id, fmt::join(models, ", "));
  if (models.empty()) return std::optional<std::string>();
  return std::optional<std::string>(*models.begin());
}

// The turn of the sample that counts, by how they were judged at first.
Result<std::optional<int64_t>> BestTurnOf(const store::Store& store,
                                          const std::string& model,
                                          const Wanted& wanted,
                                          int64_t sample) {
  store::Filter filter;
  filter.model = model;
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
  KB_ASSIGN(const auto model, ModelOf(store, run, wanted, sample));
  if (!model) return std::optional<Generation>();
  if (!turn) {
    KB_ASSIGN(turn, BestTurnOf(store, *model, wanted, sample));
  }
  store::GenerationFilter filter;
  filter.model = *model;
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
