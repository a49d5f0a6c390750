#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "eval/session.h"
#include "problems/pack.h"
#include "workplace/workplace.h"

namespace kb::cli {

// Is the ruler straight? References as their own candidates (A/A), whose true
// ratio is 1.
namespace aa {

// What an operator can rely on (docs/timing.md): a GPU's times to the per
// mille, those of a shared cpu roughly, each with an interval that says so.
struct Bounds {
  double median = 0;  // of |log ratio|
  double p90 = 0;
  double worst = 0;
  double within = 0;  // share of intervals that contain 1
  // Of the mean log ratio, unless chance explains it: errors that go one way
  // are small beside those of one problem, and favour a side.
  double bias = 0;
};
Bounds BoundsFor(bool cuda);

// One problem's reference against itself.
struct Line {
  std::string id;
  const record::Evaluation* evaluation = nullptr;  // null: none was made
  bool measured() const {
    return evaluation != nullptr && evaluation->speedup.has_value();
  }
  // The rest wants `measured`.
  double log_ratio() const;
  bool within() const;
  const record::Interval& speedup() const { return *evaluation->speedup; }
};

struct Summary {
  int64_t measured = 0;      // problems
  int64_t measurements = 0;  // of each, at most
  int64_t failed = 0;        // measurements
  double median = 0, p90 = 0, worst = 0, within = 0;
  double mean = 0, mean_error = 0;  // of the log ratio, and its standard error
  // Of the wall times' ratios: |log ratio|, and the share of intervals that
  // contain 1. Told; a host's noise decides nothing. Empty where none was read.
  struct Wall {
    double median = 0, within = 0;
  };
  std::optional<Wall> wall;
};
// A problem that was measured several times has the mean of its log ratios, in
// which chance is smaller and an error of the ruler is not; its intervals count
// one by one.
Summary Summarize(const std::vector<Line>& lines);
bool IsStraight(const Summary& summary, const Bounds& bounds);
// What was found beside what is allowed, in three or four lines.
std::string Describe(const Summary& summary, const Bounds& bounds);
base::Json ToJson(const Summary& summary, const Bounds& bounds);

// Those of the samples: of every kind, and few.
std::vector<std::string> FewProblems();

// Each reference as its own candidate, in the order of `entries`.
base::Result<std::vector<eval::Task>> Tasks(
    const workplace::Workplace& workplace,
    const std::vector<problems::Entry>& entries);
// What became of `tasks`; points into `judged`, which must outlive it.
std::vector<Line> LinesOf(const std::vector<eval::Task>& tasks,
                          const workplace::Judged& judged);

}  // namespace aa
}  // namespace kb::cli
