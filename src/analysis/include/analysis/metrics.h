#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stats/bootstrap.h"

namespace kb::analysis {

// One judged sample as scores see it.
struct Sample {
  bool compiled = false;
  bool correct = false;  // verdict `correct`
  // Of a correct one, over the baseline, by the time that scores are of.
  std::optional<double> speedup = {};
  std::optional<double> device_speedup = {};
  std::optional<double> wall_speedup = {};  // over eager always
};

// All samples of one model for one problem; at least one.
struct Attempts {
  std::string problem;
  std::vector<Sample> samples;
};

// Whether the sample counts for fast_p: correct, and more than p times as fast
// as the baseline (p = 0: correct).
bool IsFast(const Sample& sample, double p);

// The share of the samples that are.
double ShareFast(const Attempts& attempts, double p);

// The chance that at least one of k samples, drawn without replacement from n
// of which c are good, is good: the unbiased pass@k of Chen et al. 2021
// (arXiv:2107.03374). 0 <= c <= n, 1 <= k <= n.
double PassAtK(int64_t n, int64_t c, int64_t k);

// All that follow: intervals are 95 % bootstrap percentile ones over problems,
// which are the population that a benchmark samples; the same seed gives the
// same interval. `problems` must not be empty.

// fast_p of KernelBench (arXiv:2502.10517): the share of problems for which a
// sample is correct and more than p times as fast; of a problem with several
// samples the share of its samples counts.
stats::Interval FastP(const std::vector<Attempts>& problems, double p,
                      uint64_t seed);

// fast_p of the best of k samples, unbiased (pass@k for p = 0). None when a
// problem has fewer than k samples.
std::optional<stats::Interval> FastPAtK(const std::vector<Attempts>& problems,
                                        double p, int64_t k, uint64_t seed);

// The share of samples that compile, averaged over problems.
stats::Interval CompileRate(const std::vector<Attempts>& problems,
                            uint64_t seed);

// Geometric mean of the speedups of correct samples only, so a model that
// solves only what is easy to speed up looks good: never shown without the rate
// of correct ones. None when there is none.
std::optional<stats::Interval> GeometricMeanSpeedup(
    const std::vector<Attempts>& problems, uint64_t seed,
    std::optional<double> Sample::* speedup = &Sample::speedup);

}  // namespace kb::analysis
