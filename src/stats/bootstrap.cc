#include "stats/bootstrap.h"

#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/random.h"
#include "stats/student.h"
#include "stats/summary.h"

namespace kb::stats {
namespace {

constexpr int kResamples = 2000;

constexpr double kPlainTail = 0.025;

// The statistic of `items`, and of resamples of them: what lies in neither
// `tail`.
template <typename T, typename F>
Interval Bootstrap(const std::vector<T>& items, uint64_t seed, double tail,
                   F&& statistic) {
  const double estimate = statistic(items);
  base::Sequence sequence(seed);
  std::vector<double> values;
  values.reserve(kResamples);
  std::vector<T> resample(items.size());
  for (int i = 0; i < kResamples; ++i) {
    for (T& item : resample) item = items[sequence.Below(items.size())];
    values.push_back(statistic(resample));
  }
  return {estimate, Quantile(values, tail), Quantile(values, 1 - tail)};
}

// One item has the same mean in every resample.
double TailOf(size_t items) {
  return items < 2 ? kPlainTail : ExpandedTail(static_cast<int64_t>(items));
}

}  // namespace

Interval Resampled(
    size_t items, uint64_t seed,
    const std::function<double(const std::vector<size_t>&)>& statistic) {
  KB_CHECK(items > 0);
  std::vector<size_t> all(items);
  std::iota(all.begin(), all.end(), size_t{0});
  return Bootstrap(all, seed, kPlainTail, statistic);
}

Interval Mean(const std::vector<double>& values, uint64_t seed) {
  KB_CHECK(!values.empty());
  return Bootstrap(values, seed, TailOf(values.size()),
                   [](const std::vector<double>& drawn) {
                     return std::accumulate(drawn.begin(), drawn.end(), 0.0) /
                            static_cast<double>(drawn.size());
                   });
}

Interval WeightedMean(const std::vector<Weighted>& parts, uint64_t seed) {
  KB_CHECK(!parts.empty());
  return Bootstrap(parts, seed, TailOf(parts.size()),
                   [](const std::vector<Weighted>& drawn) {
                     Weighted total;
                     for (const Weighted& part : drawn) {
                       total.sum += part.sum;
                       total.weight += part.weight;
                     }
                     return total.sum / total.weight;
                   });
}

}  // namespace kb::stats
