#include "kept_turns.h"

#include <map>
#include <utility>

namespace kb::run {

using base::Result;
using record::Evaluation;
using record::Generation;
using record::GenerationStatus;

namespace {

bool IsOutdated(const Evaluation& evaluation) {
  return evaluation.ruler && evaluation.ruler->version < record::kRulerVersion;
}

}  // namespace

Result<KeptTurns> ReadKeptTurns(const store::Store& store,
                                const std::string& model, const Wanted& wanted,
                                const prompt::FeedbackWriter& feedback) {
  const record::Problem& problem = *wanted.problem;
  store::GenerationFilter of_sample;
  of_sample.model = model;
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
  // By turn; the newest of the latest ruler.
  std::map<int64_t, Evaluation> verdicts;
  for (Evaluation& evaluation : evaluations) {
    const int64_t turn = evaluation.turn;
    if (evaluation.verdict == record::Verdict::kInfraError) continue;
    const bool outdated = IsOutdated(evaluation);
    if (evaluation.confirms) {
      if (!outdated) kept.confirmed.insert(turn);
      continue;
    }
    const auto before = verdicts.find(turn);
    if (!outdated || before == verdicts.end() || IsOutdated(before->second))
      verdicts[turn] = std::move(evaluation);
  }
  std::map<int64_t, Generation> by_turn;
  for (Generation& answer : answers)
    if (answer.problem_hash == wanted.Hash())
      by_turn[answer.turn] = std::move(answer);
  for (auto& [turn, answer] : by_turn) {
    const auto verdict = verdicts.find(turn);
    if (answer.status == GenerationStatus::kComplete &&
        verdict == verdicts.end()) {
      kept.unjudged[turn] = std::move(answer);
      continue;
    }
    const Evaluation* evaluation =
        verdict == verdicts.end() ? nullptr : &verdict->second;
    if (evaluation != nullptr && IsOutdated(*evaluation))
      kept.outdated.insert(turn);
    kept.turns[turn] = TurnOf(std::move(answer), evaluation, feedback);
  }
  return kept;
}

}  // namespace kb::run
