#include "eval/every_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "stats/geometric_mean.h"

namespace kb::eval {
namespace {

using record::Evaluation;
using record::Verdict;

std::vector<Task> TasksAt(Task task) {
  std::vector<record::Problem> further = std::move(task.further);
  task.further.clear();
  task.several.reset();
  std::vector<Task> tasks{task};
  for (record::Problem& problem : further) {
    task.problem = std::move(problem);
    tasks.push_back(task);
  }
  return tasks;
}

record::AtSize WhatItShowed(const Evaluation& e) {
  return {e.size,           e.problem_hash, e.verdict,        e.reason,
          e.tolerance,      e.trials,       e.ruler,          e.reference_time,
          e.candidate_time, e.speedup,      e.reference_wall, e.candidate_wall,
          e.wall_speedup};
}

std::string NamesOf(const std::vector<const Evaluation*>& at) {
  std::string names;
  for (size_t i = 0; i < at.size(); ++i)
    names += fmt::format("{}{}",
                         i == 0              ? ""
                         : i + 1 < at.size() ? ", "
                                             : " and ",
                         record::SizeName(at[i]->size));
  return names;
}

// What all say, and before what some say their sizes.
std::vector<std::string> Remarks(
    const std::vector<Evaluation>& at,
    const std::vector<std::string> Evaluation::* list) {
  std::vector<std::string> remarks;
  std::vector<std::string> seen;
  for (const Evaluation& each : at)
    for (const std::string& text : each.*list) {
      if (std::ranges::find(seen, text) != seen.end()) continue;
      seen.push_back(text);
      std::vector<const Evaluation*> who;
      for (const Evaluation& e : at)
        if (std::ranges::find(e.*list, text) != (e.*list).end())
          who.push_back(&e);
      remarks.push_back(who.size() == at.size() && at.size() > 1
                            ? text
                            : fmt::format("at {}: {}", NamesOf(who), text));
    }
  return remarks;
}

std::vector<const Evaluation*> Without(
    const std::vector<Evaluation>& at,
    std::optional<record::Interval> Evaluation::* speedup) {
  std::vector<const Evaluation*> without;
  for (const Evaluation& each : at)
    if (!(each.*speedup)) without.push_back(&each);
  return without;
}

std::optional<record::Interval> MeanOf(
    const std::vector<Evaluation>& at,
    std::optional<record::Interval> Evaluation::* speedup) {
  if (!Without(at, speedup).empty()) return std::nullopt;
  std::vector<record::Interval> ratios;
  for (const Evaluation& each : at) ratios.push_back(*(each.*speedup));
  return stats::GeometricMean(ratios);
}

std::string ReasonOf(const std::vector<Evaluation>& at, bool correct) {
  std::vector<const Evaluation*> good;
  for (const Evaluation& each : at)
    if (each.verdict == Verdict::kCorrect) good.push_back(&each);
  if (correct)
    return fmt::format("correct at {}: {}", NamesOf(good), at.front().reason);
  return fmt::format(
      "at size {}: {}{}", record::SizeName(at.back().size), at.back().reason,
      good.empty() ? "" : fmt::format(" (correct at {})", NamesOf(good)));
}

}  // namespace

void EverySize::Add(size_t index, Task task) {
  if (task.further.empty()) return queue_.Add(index, std::move(task));
  KB_CHECK(task.several);
  Open open{*task.several, HashOver(task.problem, task.further), {}, {}};
  open.tasks = TasksAt(std::move(task));
  Task first = open.tasks.front();
  {
    const base::MutexLock lock(&mutex_);
    open_.emplace(std::pair(index, first.turn), std::move(open));
  }
  queue_.Add(index, std::move(first));
}

void EverySize::Close() {
  bool all_done = false;
  {
    const base::MutexLock lock(&mutex_);
    closed_ = true;
    all_done = open_.empty();
  }
  if (all_done) queue_.Close();
}

void EverySize::OnStep(size_t index, const std::string& step) {
  std::string text = step;
  {
    const base::MutexLock lock(&mutex_);
    // Of several tasks of an index nobody knows which it is.
    const auto open = open_.lower_bound({index, 0});
    const bool is_one = open != open_.end() && open->first.first == index &&
                        (std::next(open) == open_.end() ||
                         std::next(open)->first.first != index);
    if (is_one)
      text = fmt::format(
          "{}: {}",
          record::SizeName(
              open->second.tasks.at(open->second.done.size()).problem.size),
          step);
  }
  shown_->OnStep(index, text);
}

void EverySize::OnDone(size_t index, const Evaluation& evaluation) {
  std::optional<Open> done;
  bool last = false;
  {
    const base::MutexLock lock(&mutex_);
    const auto found = open_.find({index, evaluation.turn});
    if (found != open_.end()) {
      Open& open = found->second;
      open.done.push_back(evaluation);
      if (evaluation.verdict == Verdict::kCorrect &&
          open.done.size() < open.tasks.size())
        return queue_.Add(index, open.tasks[open.done.size()]);
      done = std::move(open);
      open_.erase(found);
      last = closed_ && open_.empty();
    }
  }
  shown_->OnDone(index, done ? OverSizes(done->several, done->hash, done->done)
                             : evaluation);
  if (last) queue_.Close();
}

std::string HashOver(const record::Problem& problem,
                     const std::vector<record::Problem>& further) {
  if (further.empty()) return problem.Hash();
  std::string all = problem.Hash();
  for (const record::Problem& at : further) all += at.Hash();
  return base::Sha256(all);
}

Evaluation OverSizes(const record::Size& several, const std::string& hash,
                     const std::vector<Evaluation>& at) {
  KB_CHECK(!at.empty());
  const bool correct = at.back().verdict == Verdict::kCorrect;
  Evaluation over = correct ? at.front() : at.back();
  over.size = several;
  over.problem_hash = hash;
  over.reason = ReasonOf(at, correct);
  over.notes = Remarks(at, &Evaluation::notes);
  over.checked = Remarks(at, &Evaluation::checked);
  over.unchecked = Remarks(at, &Evaluation::unchecked);
  over.trials.clear();
  for (auto time : {&Evaluation::reference_time, &Evaluation::candidate_time,
                    &Evaluation::reference_wall, &Evaluation::candidate_wall})
    (over.*time).reset();
  over.speedup.reset();
  over.wall_speedup.reset();
  if (correct) {
    over.speedup = MeanOf(at, &Evaluation::speedup);
    over.wall_speedup = MeanOf(at, &Evaluation::wall_speedup);
    const auto without = Without(at, &Evaluation::speedup);
    if (!without.empty() && without.size() < at.size())
      over.notes.push_back(fmt::format(
          "no speedup over all sizes: there is none at {}", NamesOf(without)));
  }
  over.compile_seconds = at.front().compile_seconds;
  over.compile_cached = at.front().compile_cached;
  over.started_at = at.front().started_at;
  over.wall_seconds = 0;
  over.sizes.emplace();
  for (const Evaluation& each : at) {
    over.wall_seconds += each.wall_seconds;
    over.sizes->push_back(WhatItShowed(each));
  }
  return over;
}

}  // namespace kb::eval
