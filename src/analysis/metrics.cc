#include "analysis/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/check.h"

namespace kb::analysis {
namespace {

// The mean over problems of a value of each.
stats::Interval MeanOverProblems(
    const std::vector<Attempts>& problems,
    const std::function<double(const Attempts&)>& value, uint64_t seed) {
  std::vector<double> values;
  values.reserve(problems.size());
  for (const Attempts& attempts : problems) values.push_back(value(attempts));
  return stats::Mean(values, seed);
}

double Share(const Attempts& attempts, int64_t samples) {
  return static_cast<double>(samples) /
         static_cast<double>(attempts.samples.size());
}

int64_t CountFast(const Attempts& attempts, double p) {
  return std::ranges::count_if(attempts.samples, [p](const Sample& sample) {
    return IsFast(sample, p);
  });
}

}  // namespace

bool IsFast(const Sample& sample, double p) {
  if (p == 0) return sample.correct;
  return sample.correct && sample.speedup && *sample.speedup > p;
}

double ShareFast(const Attempts& attempts, double p) {
  return Share(attempts, CountFast(attempts, p));
}

double PassAtK(int64_t n, int64_t c, int64_t k) {
  KB_CHECK(c >= 0 && c <= n && k >= 1 && k <= n);
  // C(n - c, k) / C(n, k) as a product, which neither overflows nor cancels.
  double none_good = 1;
  for (int64_t i = 0; i < k; ++i)
    none_good *= static_cast<double>(std::max<int64_t>(0, n - c - i)) /
                 static_cast<double>(n - i);
  return 1 - none_good;
}

stats::Interval FastP(const std::vector<Attempts>& problems, double p,
                      uint64_t seed) {
  return MeanOverProblems(
      problems,
      [p](const Attempts& attempts) { return ShareFast(attempts, p); }, seed);
}

std::optional<stats::Interval> FastPAtK(const std::vector<Attempts>& problems,
                                        double p, int64_t k, uint64_t seed) {
  const auto has_too_few = [k](const Attempts& attempts) {
    return std::ssize(attempts.samples) < k;
  };
  if (std::ranges::any_of(problems, has_too_few)) return std::nullopt;
  return MeanOverProblems(
      problems,
      [p, k](const Attempts& attempts) {
        return PassAtK(std::ssize(attempts.samples), CountFast(attempts, p), k);
      },
      seed);
}

stats::Interval CompileRate(const std::vector<Attempts>& problems,
                            uint64_t seed) {
  return MeanOverProblems(
      problems,
      [](const Attempts& attempts) {
        return Share(attempts, std::ranges::count_if(attempts.samples,
                                                     &Sample::compiled));
      },
      seed);
}

std::optional<stats::Interval> GeometricMeanSpeedup(
    const std::vector<Attempts>& problems, uint64_t seed,
    std::optional<double> Sample::* speedup) {
  // Of each problem with correct samples: how many, and the sum of logarithms.
  std::vector<stats::Weighted> logs;
  for (const Attempts& attempts : problems) {
    stats::Weighted sum;
    for (const Sample& sample : attempts.samples) {
      if (!sample.correct || !(sample.*speedup)) continue;
      sum.sum += std::log(*(sample.*speedup));
      sum.weight += 1;
    }
    if (sum.weight > 0) logs.push_back(sum);
  }
  if (logs.empty()) return std::nullopt;
  const stats::Interval mean = stats::WeightedMean(logs, seed);
  return stats::Interval{std::exp(mean.estimate), std::exp(mean.low),
                         std::exp(mean.high)};
}

}  // namespace kb::analysis
