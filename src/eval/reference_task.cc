#include "eval/task_queue.h"

namespace kb::eval {

Task ReferenceTask(record::Problem problem, record::Precision precision,
                   record::Policy policy, const std::string& mode) {
  Task task;
  task.candidate.name = "reference.py";
  task.candidate.path = problem.id;
  task.candidate.source = problem.source;
  task.candidate.track = record::Track::kPython;
  task.candidate.backend = record::Backend::kTorch;
  task.entry = problem.reference;
  task.mode = mode;
  task.trusted = true;
  task.problem = std::move(problem);
  task.policy = std::move(policy);
  task.precision = precision;
  return task;
}

bool IsCompiledReference(const Task& task) {
  return task.trusted && task.mode != "eager";
}

bool IsInterpreted(const Task& task, const std::string& device) {
  return device == "cpu" && task.candidate.backend == record::Backend::kTriton;
}

}  // namespace kb::eval
