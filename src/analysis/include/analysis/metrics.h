#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stats/bootstrap.h"

// The figures of docs/scores.md, each under its name there.
namespace kb::analysis {

// One sample that was asked for, as scores see it. What is not known of it has
// failed; `open` and `speed_open` say that it may still turn out otherwise.
struct Sample {
  bool compiled = false;
  bool correct = false;  // verdict `correct`
  // Of a correct one, over the baseline, by the time that scores are of.
  std::optional<double> speedup = {};
  std::optional<double> device_speedup = {};
  std::optional<double> wall_speedup = {};  // over eager always
  bool open = false;
  bool speed_open = false;  // correct, but its baseline was not measured
  // Of a certified one: the least time that the device allows, over its own.
  std::optional<double> roofline = {};
  std::optional<double> own_share = {};  // record::Provenance::own_share
  int64_t index = 0;                     // which answer, in the order of asking
  std::string asked_by = {};             // whose answers `index` numbers
  std::optional<double> seconds = {};    // that its answer took
};

// All samples of one model for one problem; at least one.
struct Attempts {
  std::string problem;
  std::vector<Sample> samples;
  bool has_ceiling = false;  // the least time that a device allows is known
};

// Whether the sample counts for fast_p: correct, and more than p times as fast
// as the baseline (p = 0: correct).
bool IsFast(const Sample& sample, double p);
// Whether it does, or may once it is known.
bool MayBeFast(const Sample& sample, double p);

// The share of the samples that are.
double ShareFast(const Attempts& attempts, double p);

// The chance that at least one of k samples, drawn without replacement from n
// of which c are good, is good: the unbiased pass@k of Chen et al. 2021
// (arXiv:2107.03374). 0 <= c <= n, 1 <= k <= n.
double PassAtK(int64_t n, int64_t c, int64_t k);

// All that follow: intervals are of 95 % over problems, which are the
// population that a benchmark samples. Those of shares are stats::MeanShare's,
// others percentiles of a bootstrap, the same for the same seed. `problems`
// must not be empty.

// fast_p of KernelBench (arXiv:2502.10517): the share of problems for which a
// sample is correct and more than p times as fast; of a problem with several
// samples the share of its samples counts.
stats::Interval FastP(const std::vector<Attempts>& problems, double p);
// What it is if all that is open turns out well.
double FastPUpper(const std::vector<Attempts>& problems, double p);

// A figure of some of the problems.
struct Partial {
  int64_t problems = 0;
  std::optional<stats::Interval> value;  // none: of no problem
};

// fast_p of the best of k samples, unbiased (pass@k for p = 0), of the problems
// with k samples or more.
Partial FastPAtK(const std::vector<Attempts>& problems, double p, int64_t k);
// What it is if all that is open turns out well; 0 of no problem.
double FastPAtKUpper(const std::vector<Attempts>& problems, double p,
                     int64_t k);

// Geometric mean over the same problems of the speedup of the best of k
// samples, where the baseline stands in for what is wrong or slower (METR's
// best-of-k): the mean of the logarithm over all choices of k samples.
Partial BestSpeedupAtK(const std::vector<Attempts>& problems, int64_t k,
                       uint64_t seed);

// The share of samples that compile, averaged over problems.
stats::Interval CompileRate(const std::vector<Attempts>& problems);

// Which samples a geometric mean of speedups is over.
enum class Over {
  kCorrect,  // so a model that solves only what is easy to speed up looks good
  kFaster,   // the correct ones that beat the baseline
};
Partial GeometricMeanSpeedup(
    const std::vector<Attempts>& problems, uint64_t seed,
    std::optional<double> Sample::* speedup = &Sample::speedup,
    Over over = Over::kCorrect);

// Over all samples, what has no speedup as 1.0: each problem counts once.
stats::Interval GeometricMeanOfAll(const std::vector<Attempts>& problems,
                                   uint64_t seed);

// The SOL Score of SOL-ExecBench (arXiv:2603.19173, eq. 2), by device time:
// 0.5 at the baseline, 1 at the device's ceiling, 0 for what failed or beats
// the ceiling; the mean over samples, then over problems with a ceiling. A
// correct sample whose time or baseline is not known is in no mean; where all
// correct ones are such there is no score.
Partial SolScore(const std::vector<Attempts>& problems, uint64_t seed);

// A sample whose share of the roofline is larger cannot have done the work;
// clocks and ceilings are off by a few per cent.
constexpr double kMostOfRoofline = 1.05;

// What the answers up to the first correct one took in seconds, asked one after
// the other: the mean over problems with a correct sample of which all these
// times are known; of a problem that several were asked for (Sample::asked_by)
// the mean over these.
Partial SecondsToCorrect(const std::vector<Attempts>& problems, uint64_t seed);

}  // namespace kb::analysis
