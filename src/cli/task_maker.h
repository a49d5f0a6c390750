#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "commands/eval.h"
#include "eval/task_queue.h"
#include "task_lines.h"
#include "workplace/workplace.h"

namespace kb::cli {

// Tasks from candidates, as `eval` means its command line.
class TaskMaker {
 public:
  // Both must outlive it.
  TaskMaker(const EvalOptions& options, const workplace::Workplace& workplace)
      : options_(options), workplace_(workplace) {}

  // One for each problem of --problem; without it for the one that the
  // candidate names, or the only one of the pack.
  base::Result<std::vector<eval::Task>> For(
      const record::Candidate& candidate) const;

  // Those of all candidates, in their order.
  base::Result<std::vector<eval::Task>> For(
      const std::vector<record::Candidate>& candidates) const;

  // What the line says goes before the command line.
  base::Result<eval::Task> For(const TaskLine& line) const;

 private:
  struct Wish {
    std::string problem;
    record::Size size;
    record::Precision precision;
    record::Policy policy;
  };
  base::Result<std::string> ProblemFor(
      const record::Candidate& candidate) const;
  base::Result<eval::Task> Make(const record::Candidate& candidate,
                                const Wish& wish) const;
  // At each size that is wished for.
  base::Result<void> LoadProblem(const Wish& wish, eval::Task* task) const;
  Wish WishFor(const std::string& problem) const;

  const EvalOptions& options_;
  const workplace::Workplace& workplace_;
};

}  // namespace kb::cli
