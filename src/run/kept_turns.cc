#include "kept_turns.h"

#include <map>
#include <utility>

namespace kb::run {

using base::Result;
using record::Evaluation;
using record::Generation;
using record::GenerationStatus;

Result<KeptTurns> ReadKeptTurns(const store::Store& store,
                                const std::string& model, const Wanted& wanted,
                                const prompt::FeedbackWriter& feedback) {
  const record::Problem& problem = *wanted.problem;
  store::GenerationFilter of_sample;
  of_sample.problem_id = problem.id;
  of_sample.sample = wanted.sample;
  KB_ASSIGN(auto answers, store.Generations(of_sample));
  store::Filter judged;
  judged.problem_id = problem.id;
  judged.problem_hash = wanted.Hash();
  judged.model = model;
  judged.sample = wanted.sample;
  KB_ASSIGN(auto evaluations, store.Evaluations(judged));

  KeptTurns kept;
  std::map<int64_t, Evaluation> verdicts;  // by turn; the newest
  for (Evaluation& evaluation : evaluations) {
    if (evaluation.verdict == record::Verdict::kInfraError) continue;
    if (evaluation.confirms)
      kept.confirmed.insert(evaluation.turn);
    else
      verdicts[evaluation.turn] = std::move(evaluation);
  }
  std::map<int64_t, Generation> by_turn;
  for (Generation& answer : answers)
    if (answer.model == model && answer.problem_hash == wanted.Hash())
      by_turn[answer.turn] = std::move(answer);
  for (auto& [turn, answer] : by_turn) {
    const auto verdict = verdicts.find(turn);
    if (answer.status == GenerationStatus::kComplete &&
        verdict == verdicts.end()) {
      kept.unjudged[turn] = std::move(answer);
      continue;
    }
    kept.turns[turn] = TurnOf(
        std::move(answer),
        verdict == verdicts.end() ? nullptr : &verdict->second, feedback);
  }
  return kept;
}

}  // namespace kb::run
