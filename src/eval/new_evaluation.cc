#include "new_evaluation.h"

#include <fmt/format.h>

#include "base/clock.h"

namespace kb::eval {

using record::Evaluation;

namespace {

// The original does not know of them.
void NoteFlags(const Task& task, Evaluation* evaluation) {
  for (const record::Flag& flag : task.problem.flags)
    if (flag.Holds(task.precision, task.problem.size, task.policy.name))
      evaluation->notes.push_back(
          fmt::format("a wrong kernel would pass as well ({}): {}", flag.flag,
                      flag.reason));
}

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
  if (task.policy.procedure == record::Procedure::kOriginal)
    NoteFlags(task, &evaluation);
  evaluation.version = KB_VERSION;
  evaluation.started_at = base::UtcNow();
  evaluation.device.device = lane.device;
  return evaluation;
}

void AddNotes(const std::vector<std::string>& notes, Evaluation* evaluation) {
  evaluation->notes.insert(evaluation->notes.end(), notes.begin(), notes.end());
}

}  // namespace kb::eval
