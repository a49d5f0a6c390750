#include "new_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/clock.h"

namespace kb::eval {

using record::Evaluation;

namespace {

// Flags of problems whose outputs do not tell right from wrong.
constexpr std::array<std::string_view, 4> kWeak{
    "zero_passes", "constant_output", "input_independent", "collapses"};

}  // namespace

Evaluation NewEvaluation(const Task& task, const SessionOptions& options,
                         const lane::LaneOptions& lane) {
  Evaluation evaluation;
  evaluation.candidate = task.candidate;
  evaluation.model = task.model;
  evaluation.sample = task.sample;
  evaluation.turn = task.turn;
  evaluation.confirms = task.confirms;
  evaluation.problem_id = task.problem.id;
  evaluation.problem_hash = task.problem.Hash();
  evaluation.size = task.problem.size;
  evaluation.precision = task.precision;
  evaluation.policy = task.policy;
  evaluation.isolation = options.isolation;
  for (const jail::Gap& gap : options.isolation_gaps)
    evaluation.notes.push_back(fmt::format(
        "isolation {} without {}: {}", options.isolation, gap.name, gap.why));
  evaluation.version = KB_VERSION;
  evaluation.started_at = base::UtcNow();
  evaluation.device.device = lane.device;
  evaluation.device.name = lane.device_name;
  evaluation.device.torch = lane.torch;
  return evaluation;
}

void AddNotes(const std::vector<std::string>& notes, Evaluation* evaluation) {
  evaluation->notes.insert(evaluation->notes.end(), notes.begin(), notes.end());
}

void NoteWeakness(const record::Problem& problem, Evaluation* evaluation) {
  if (evaluation->verdict != record::Verdict::kCorrect) return;
  const std::string name =
      problem.NameOf(evaluation->policy, evaluation->precision);
  const auto holds = [&](const record::Flag& flag, const std::string& policy) {
    return flag.Holds(evaluation->precision, evaluation->size, policy);
  };
  for (const record::Flag& flag : problem.flags) {
    if (!holds(flag, name) ||
        std::ranges::find(kWeak, flag.flag) == kWeak.end())
      continue;
    const bool elsewhere = !holds(flag, "strict");
    evaluation->notes.push_back(fmt::format(
        "a wrong kernel would pass here under policy {} ({}: {}){}", name,
        flag.flag, flag.reason, elsewhere ? "; policy strict tells" : ""));
  }
}

}  // namespace kb::eval
