#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "analysis/metrics.h"
#include "record/outcome.h"

namespace kb::analysis {

// Why there is nothing to say of a sample that was asked for.
enum class Missing {
  kNoAnswer,   // its model gave none
  kNotAsked,   // the run stopped at its budget, or before it was done
  kNotJudged,  // there is an answer
};
const char* MissingName(Missing missing);  // "no_answer"

// What one answer of a sample took.
struct AnswerCost {
  int64_t turn = 1;
  int64_t tokens = 0;         // input and output
  std::optional<double> usd;  // absent: not known
  double seconds = 0;
};

// One outcome and where it belongs. Of a missing one the outcome says no more
// than what was asked for.
struct Entry {
  std::string run;  // the run's name, which stands for the model
  record::Outcome outcome;
  // Where `run` stands for several runs: that of them which asked for the
  // sample.
  std::string asked_in = {};
  // The devices on which a model was asked for the sample, as requests say: ""
  // for those that name none. Empty: no request is for the sample. In a run
  // that stands for one of several devices: that one.
  std::vector<std::string> asked_on = {};
  std::optional<Missing> missing = {};
  bool over_budget = false;       // kNotAsked, as the budget was spent
  std::vector<std::string> tags;  // of the problem
  bool flagged = false;           // the problem has a known weakness
  // The share of the machine's ceiling that a certified sample reaches.
  std::optional<double> roofline = {};
  bool by_data_sheet = false;  // as no ceiling was measured with it
  // The least time of the problem on the run's device is known.
  bool has_ceiling = false;
  bool without_baseline = false;       // it had a speedup, over eager alone
  std::optional<double> seconds = {};  // that its answer took
  // Of several turns: those of the answers up to the first correct one.
  std::optional<double> seconds_to_correct = {};
  // Of all answers of the sample; none: not known.
  std::shared_ptr<const std::vector<AnswerCost>> answers = {};
  double judging_seconds = 0;  // of all turns that the outcome stands for
  // Of a turn that was chosen and then judged once more, whose outcome this is:
  // the speedup over eager that it was chosen by, if it had one.
  bool confirmed = false;
  std::optional<double> chosen_by = {};
};

// "level1" of "level1/23", "v3/level1" of "v3/level1/4"; empty without one.
std::string LevelOf(const std::string& problem_id);

// How rows are cut besides by run.
enum class By { kRun, kModel, kLevel, kPrecision, kTag, kProblem };
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
  By by = By::kRun;
  bool with_flagged = false;
  uint64_t seed = 0;  // of the bootstrap
};

// Figures of the best of k samples, of the problems with k samples or more.
struct BestOfK {
  int64_t k = 0;
  int64_t problems = 0;
  std::optional<stats::Interval> pass;  // none: there is no such problem
  double pass_upper = 0;
  std::vector<std::optional<stats::Interval>> fast;  // fast_p@k, per p
  std::vector<double> fast_upper;
  std::optional<stats::Interval> speedup;  // BestSpeedupAtK
};

// Scores of one run, or of a part of it. What ends in `upper` is the figure if
// all that is open turns out well.
struct Row {
  std::string run;
  std::string group;  // what By names of it; empty: all
  int64_t problems = 0;
  int64_t samples = 0;
  // What keeps a score of all problems from being compared with KernelBench's
  // (arXiv:2502.10517), in few words each; empty: nothing does.
  std::vector<std::string> unlike_paper = {};
  stats::Interval compiled;  // share of samples, averaged over problems
  std::vector<stats::Interval> fast;  // per p; fast_0 is the correct ones
  std::vector<double> fast_upper;
  std::vector<BestOfK> of_k;  // per k
  // Geometric means of correct ones; the second one is over eager always.
  std::optional<stats::Interval> speedup;
  std::optional<stats::Interval> wall_speedup;
  // Samples that they are made of, and these samples' problems.
  int64_t with_speedup = 0;
  int64_t problems_with_speedup = 0;
  int64_t with_wall_speedup = 0;
  int64_t problems_with_wall_speedup = 0;
  Partial speedup_of_faster;       // of those that beat the baseline
  stats::Interval speedup_of_all;  // what has none as 1.0
  std::map<record::Verdict, int64_t> verdicts;
  std::map<record::GenerationStatus, int64_t> unusable;  // answers, no code
  std::map<Missing, int64_t> missing;
  int64_t not_run = 0;     // cannot run on the device
  int64_t open = 0;        // samples that may yet be correct
  int64_t speed_open = 0;  // correct ones without a time of the baseline
  // Mean share of certified samples. What beats the ceiling cannot have done
  // the work: it is only counted.
  Partial roofline;
  int64_t above_roofline = 0;
  int64_t by_data_sheet = 0;  // of these samples, for want of a measured one
  Partial sol_score;
  // Mean share of code of their own in the time of correct samples in whose
  // processes it was looked at what ran.
  Partial own_share;
  Partial seconds_to_correct;
  // What the answers cost, each counted once; absent when one is not known.
  std::optional<double> usd;
  std::optional<double> usd_per_correct;  // absent also without a correct one
  std::optional<double> usd_per_fast;     // faster than the baseline
};

// Two runs on what both were asked for, at one p.
struct Pairing {
  std::string first;
  std::string second;
  double p = 0;
  Comparison comparison;
};

// How many samples of a run were asked for, and what became of none of ours.
// All of them count as failed.
struct Gaps {
  int64_t asked = 0;  // samples
  int64_t not_asked = 0;
  bool over_budget = false;  // why
  int64_t no_answer = 0;
  int64_t not_judged = 0;
  int64_t infra_errors = 0;  // our own failure left them without a verdict
  int64_t not_run = 0;       // cannot run on the device
  // Samples that may yet turn out well.
  int64_t Open() const { return not_asked + not_judged + infra_errors; }
};

struct Scores {
  std::vector<Row> rows;  // by run, then by group
  std::vector<Pairing> pairings;
  std::map<std::string, Gaps> gaps;  // by run
  // Samples of flagged problems, which are left out.
  int64_t flagged = 0;
  int64_t flagged_problems = 0;
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
