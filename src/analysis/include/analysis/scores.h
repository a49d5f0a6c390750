#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "analysis/metrics.h"
#include "record/outcome.h"

namespace kb::analysis {

// One outcome and where it belongs.
struct Entry {
  std::string run;  // the run's name, which stands for the model
  record::Outcome outcome;
  std::vector<std::string> tags;  // of the problem
  bool flagged = false;           // the problem has a known weakness
  // The share of the machine's ceiling that a certified sample reaches.
  std::optional<double> roofline = {};
  bool by_data_sheet = false;  // as no ceiling was measured with it
};

// "level1" of "level1/23", "v3/level1" of "v3/level1/4"; empty without one.
std::string LevelOf(const std::string& problem_id);

// How rows are cut besides by run.
enum class By { kRun, kModel, kLevel, kTag, kProblem };
std::optional<By> ParseBy(const std::string& name);  // "run", "level", ...

// Which time speedups are of.
enum class Time { kDevice, kWall };
const char* TimeName(Time time);  // "device"
std::optional<Time> ParseTime(const std::string& name);

// Of fewer problems a bootstrap knows too little to give an interval.
constexpr int64_t kLeastProblems = 10;

struct ScoreOptions {
  Time time = Time::kDevice;  // of fast_p and of the best of k
  std::vector<double> ps{0, 0.5, 0.8, 1, 1.5, 2, 4};
  std::vector<int64_t> ks{1};  // for the best of k
  double best_of_p = 1;        // best of k samples: more than so many times
  By by = By::kRun;
  bool with_flagged = false;
  uint64_t seed = 0;  // of the bootstrap
};

// Scores of one run, or of a part of it.
struct Row {
  std::string run;
  std::string group;  // model, level, tag or problem; empty: all
  int64_t problems = 0;
  int64_t samples = 0;
  stats::Interval compiled;  // share of samples, averaged over problems
  std::vector<stats::Interval> fast;  // per p; fast_0 is the correct ones
  std::vector<std::optional<stats::Interval>> pass;  // pass@k, per k
  std::vector<std::optional<stats::Interval>> best;  // fast_p@k, per k
  // Geometric means of correct ones; the second one is over eager always.
  std::optional<stats::Interval> speedup;
  std::optional<stats::Interval> wall_speedup;
  int64_t with_speedup = 0;  // samples that they are made of
  int64_t problems_with_speedup = 0;
  std::map<record::Verdict, int64_t> verdicts;
  std::map<record::GenerationStatus, int64_t> unusable;  // answers, no code
  // Mean share of certified samples. What beats the ceiling cannot have done
  // the work: it is only counted.
  std::optional<stats::Interval> roofline;
  int64_t above_roofline = 0;
  int64_t by_data_sheet = 0;  // of these samples, for want of a measured one
  // What the answers cost, each counted once; absent when one is not known.
  std::optional<double> usd;
  std::optional<double> usd_per_correct;  // absent also without a correct one
};

// Two runs on what both attempted, at one p.
struct Pairing {
  std::string first;
  std::string second;
  double p = 0;
  Comparison comparison;
};

struct Scores {
  std::vector<Row> rows;  // by run, then by group
  std::vector<Pairing> pairings;
  // What no score counts: samples of flagged problems, samples that cannot run
  // on the device, and those that our own failure left without a verdict.
  int64_t flagged = 0;
  int64_t flagged_problems = 0;
  int64_t not_run = 0;
  int64_t infra_errors = 0;
};

Scores Score(const std::vector<Entry>& entries, const ScoreOptions& options);

// The two scores of a run: of all its problems, as the paper has it, and of
// those without a known weakness. `with_flagged` does not matter.
struct TwoScores {
  Scores all;
  Scores sound;
};
TwoScores ScoreTwice(const std::vector<Entry>& entries, ScoreOptions options);

// The runs that hold samples of several models, with these.
std::map<std::string, std::set<std::string>> MixedRuns(
    const std::vector<Entry>& entries);

}  // namespace kb::analysis
