#include "stats/bootstrap.h"

#include <cmath>

#include "base/check.h"
#include "base/random.h"
#include "stats/summary.h"

namespace kb::stats {
namespace {

constexpr int kResamples = 2000;

double Ratio(const std::vector<Pair>& pairs) {
  std::vector<double> references;
  std::vector<double> candidates;
  references.reserve(pairs.size());
  candidates.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    references.push_back(pair.reference);
    candidates.push_back(pair.candidate);
  }
  return Median(std::move(references)) / Median(std::move(candidates));
}

}  // namespace

Interval RatioOfMedians(const std::vector<Pair>& pairs, uint64_t seed) {
  KB_CHECK(!pairs.empty());
  for (const Pair& pair : pairs)
    KB_CHECK(std::isfinite(pair.reference) && pair.reference > 0 &&
             std::isfinite(pair.candidate) && pair.candidate > 0);
  base::Sequence sequence(seed);
  std::vector<double> ratios;
  ratios.reserve(kResamples);
  std::vector<Pair> resample(pairs.size());
  for (int i = 0; i < kResamples; ++i) {
    for (Pair& pair : resample) pair = pairs[sequence.Below(pairs.size())];
    ratios.push_back(Ratio(resample));
  }
  return {Ratio(pairs), Quantile(ratios, 0.025), Quantile(ratios, 0.975)};
}

}  // namespace kb::stats
