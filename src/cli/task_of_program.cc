#include "task_of_program.h"

#include <utility>

#include "source_check/classify.h"

namespace kb::cli {

using base::Result;

namespace {

// The header's policy, else the command line's, with the header's limits. What
// the command line says of trials holds for both.
Result<record::Policy> RulesFor(const problems::Expectation& header,
                                const record::Policy& said) {
  if (header.policy.empty()) {
    base::Json fields = record::ToJson(said);
    fields.update(header.limits);
    return record::PolicyFromJson(fields);
  }
  KB_ASSIGN(record::Policy rules, header.PolicyFrom(header.policy));
  if (said.min_timed_trials == said.max_timed_trials)
    rules.min_timed_trials = rules.max_timed_trials = said.max_timed_trials;
  return rules;
}

}  // namespace

Result<eval::Task> TaskOf(const corpus::Program& program,
                          const workplace::Workplace& workplace) {
  eval::Task task;
  KB_ASSIGN(task.candidate,
            source_check::Classify(program.path, program.source));
  const problems::Expectation& header = program.expectation;
  KB_ASSIGN(
      task.problem,
      workplace.pack.Load(header.problem, header.size.value_or(workplace.size),
                          workplace.fit_bytes));
  task.precision =
      task.problem.In(header.precision.value_or(workplace.precision));
  KB_ASSIGN(record::Policy rules, RulesFor(header, workplace.policy));
  task.policy = task.problem.Adjusted(std::move(rules), task.precision);
  // A torch extension takes minutes of processor time, which a busy machine
  // does not give within the usual limit.
  if (!header.limits.contains("compile_seconds"))
    task.policy.compile_seconds = 3600;
  KB_TRY(workplace::CheckIsolation(task.policy, workplace));
  return task;
}

}  // namespace kb::cli
