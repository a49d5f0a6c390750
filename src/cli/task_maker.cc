#include "task_maker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "candidates.h"
#include "workplace/names.h"
#include "workplace/selection.h"

namespace kb::cli {

using base::Result;
using record::Candidate;

Result<std::vector<eval::Task>> TaskMaker::For(
    const Candidate& candidate) const {
  std::vector<std::string> problems = options_.problems;
  if (problems.empty()) {
    KB_ASSIGN(const std::string named, ProblemFor(candidate));
    problems.push_back(named);
  }
  std::vector<eval::Task> tasks;
  for (const std::string& problem : problems) {
    KB_ASSIGN(eval::Task task, Make(candidate, WishFor(problem)));
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Result<std::vector<eval::Task>> TaskMaker::For(
    const std::vector<Candidate>& candidates) const {
  std::vector<eval::Task> tasks;
  for (const Candidate& candidate : candidates) {
    KB_ASSIGN(auto made, For(candidate));
    for (eval::Task& task : made) tasks.push_back(std::move(task));
  }
  return tasks;
}

Result<eval::Task> TaskMaker::For(const TaskLine& line) const {
  Result<Candidate> read = line.path.empty()
                               ? CandidateIn(line.name, line.source)
                               : ReadCandidate(line.path);
  KB_ASSIGN(const Candidate candidate, std::move(read));
  std::string problem = line.problem;
  if (problem.empty() && options_.problems.size() == 1)
    problem = options_.problems.front();
  if (problem.empty()) {
    KB_ASSIGN(problem, ProblemFor(candidate));
  }
  Wish wish = WishFor(problem);
  if (!line.size.empty()) {
    KB_ASSIGN(wish.size, workplace::ChooseSizes(line.size, {}, wish.size));
  }
  if (!line.precision.empty()) {
    const auto precision = record::ParsePrecision(line.precision);
    if (!precision)
      return base::Usage("precision {}: use {}", line.precision,
                         record::PrecisionNames());
    wish.precision = *precision;
  }
  if (!line.policy.empty()) {
    KB_ASSIGN(wish.policy,
              workplace::ChoosePolicy(line.policy, options_.judge));
    KB_TRY(workplace::CheckIsolation(wish.policy, workplace_));
  }
  return Make(candidate, wish);
}

Result<std::string> TaskMaker::ProblemFor(const Candidate& candidate) const {
  std::string named = ProblemOf(candidate);
  if (!named.empty()) return named;
  const auto& there = workplace_.pack.List();
  if (there.size() == 1) return there.front().id;
  return base::Usage(
      "{}: which problem is it for? Say --problem ID (kernelbench problems "
      "list), or write \"problem: ID\" in a comment at its top",
      candidate.path);
}

TaskMaker::Wish TaskMaker::WishFor(const std::string& problem) const {
  return {problem, workplace_.size, workplace_.precision, workplace_.policy};
}

Result<void> TaskMaker::LoadProblem(const Wish& wish, eval::Task* task) const {
  KB_ASSIGN(auto at, workplace::LoadAt(workplace_.pack, wish.problem, wish.size,
                                       workplace_.fit_bytes));
  task->problem = std::move(at.first);
  task->further = std::move(at.further);
  if (!task->further.empty()) task->several = wish.size;
  return base::Ok();
}

Result<eval::Task> TaskMaker::Make(const Candidate& candidate,
                                   const Wish& wish) const {
  eval::Task task;
  task.candidate = candidate;
  KB_TRY(LoadProblem(wish, &task));
  task.precision = task.problem.In(wish.precision);
  task.policy = task.problem.Adjusted(wish.policy, task.precision);
  if (!task.problem.Supports(wish.precision))
    return base::Usage(
        "{} does not run in {}, only as given or in {}; see --precision",
        task.problem.id, record::PrecisionName(wish.precision),
        fmt::join(workplace::NamesOf(task.problem.precisions), ", "));
  // The original takes no other name.
  if (task.policy.procedure != record::Procedure::kOriginal)
    task.entry = EntryOf(candidate);
  if (task.entry != "ModelNew")
    task.notes.push_back(fmt::format(
        "there is no ModelNew; its {} was judged instead", task.entry));
  return task;
}

}  // namespace kb::cli
