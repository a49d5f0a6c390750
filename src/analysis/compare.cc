#include "analysis/compare.h"

#include <cmath>
#include <map>
#include <string>

#include "base/random.h"
#include "stats/share.h"

namespace kb::analysis {
namespace {

constexpr size_t kMostForExact = 16;
constexpr int64_t kSwaps = 20'000;
// Sums of the same numbers in another order differ by rounding.
constexpr double kSame = 1e-9;

// Differences of problems that have one; both signs of each are as likely when
// the models are the same.
double SignFlipTest(const std::vector<double>& differences, uint64_t seed) {
  double observed = 0;
  for (const double difference : differences) observed += difference;
  observed = std::abs(observed) - kSame;
  const bool exact = differences.size() <= kMostForExact;
  const int64_t swaps = exact ? int64_t{1} << differences.size() : kSwaps;
  base::Sequence sequence(seed);
  int64_t as_large = 0;
  for (int64_t swap = 0; swap < swaps; ++swap) {
    uint64_t signs = static_cast<uint64_t>(swap);
    double sum = 0;
    for (size_t i = 0; i < differences.size(); ++i) {
      if (!exact && i % 64 == 0) signs = sequence.Next();
      sum += ((signs >> (i % 64)) & 1) != 0 ? differences[i] : -differences[i];
    }
    if (std::abs(sum) >= observed) ++as_large;
  }
  // The observed assignment is one of the exact ones; otherwise it is added.
  return exact ? static_cast<double>(as_large) / static_cast<double>(swaps)
               : static_cast<double>(as_large + 1) /
                     static_cast<double>(swaps + 1);
}

}  // namespace

Comparison Compare(const std::vector<Attempts>& first,
                   const std::vector<Attempts>& second, double p,
                   uint64_t seed) {
  std::map<std::string, double> share_of_second;
  for (const Attempts& attempts : second)
    share_of_second[attempts.problem] = ShareFast(attempts, p);
  Comparison comparison;
  std::vector<double> all, nonzero;
  for (const Attempts& attempts : first) {
    const auto other = share_of_second.find(attempts.problem);
    if (other == share_of_second.end()) continue;
    const double difference = ShareFast(attempts, p) - other->second;
    all.push_back(difference);
    if (difference != 0) nonzero.push_back(difference);
    comparison.better += difference > 0 ? 1 : 0;
    comparison.worse += difference < 0 ? 1 : 0;
  }
  comparison.problems = std::ssize(all);
  if (all.empty()) return comparison;
  comparison.difference = stats::MeanDifference(all);
  comparison.p_value = SignFlipTest(nonzero, seed);
  return comparison;
}

}  // namespace kb::analysis
