#include "search/halving.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace kb::search {
namespace {

// Of an arm's first answers.
struct Standing {
  size_t arm = 0;
  double gain = 0;
  double best = 0;
};

Standing StandingOf(size_t arm, std::vector<double> values, int64_t limit) {
  if (std::ssize(values) > limit) values.resize(static_cast<size_t>(limit));
  const double best =
      values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  return {arm, ExpectedGain(values), best};
}

// Those that go on, in the order of arms.
std::vector<size_t> Survivors(const std::vector<size_t>& arms, int64_t eta,
                              const std::vector<int64_t>& limits,
                              const std::vector<std::vector<double>>& values) {
  std::vector<Standing> standings;
  for (const size_t arm : arms)
    standings.push_back(StandingOf(arm, values[arm], limits[arm]));
  std::ranges::stable_sort(standings, [](const auto& a, const auto& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.best < b.best;
  });
  const auto share = static_cast<size_t>(eta);
  standings.resize((standings.size() + share - 1) / share);
  std::vector<size_t> kept;
  for (const Standing& standing : standings) kept.push_back(standing.arm);
  std::ranges::sort(kept);
  return kept;
}

}  // namespace

double ValueOf(std::optional<record::Verdict> verdict,
               std::optional<double> speedup) {
  if (verdict != record::Verdict::kCorrect) return 0;
  return 1 + (speedup && *speedup > 1 ? std::log2(*speedup) : 0);
}

double ExpectedGain(const std::vector<double>& values) {
  double first = 0;
  double second = 0;
  for (const double value : values) {
    second = std::max(second, std::min(first, value));
    first = std::max(first, value);
  }
  return values.empty() ? 0
                        : (first - second) / static_cast<double>(values.size());
}

int64_t RoundsOf(const HalvingPlan& plan) {
  int64_t rounds = 0;
  for (size_t left = plan.arms; left > 1; ++rounds)
    left = (left + static_cast<size_t>(plan.eta) - 1) /
           static_cast<size_t>(plan.eta);
  return std::max<int64_t>(rounds, 1);
}

std::vector<int64_t> LimitsInRound(
    const HalvingPlan& plan, int64_t round,
    const std::vector<std::vector<double>>& values) {
  KB_CHECK(values.size() == plan.arms && plan.eta > 1);
  const int64_t rounds = RoundsOf(plan);
  std::vector<size_t> arms(plan.arms);
  std::iota(arms.begin(), arms.end(), size_t{0});
  std::vector<int64_t> limits(plan.arms, 0);
  int64_t left = plan.answers;
  for (int64_t i = 0; i <= round && i < rounds; ++i) {
    if (i > 0) arms = Survivors(arms, plan.eta, limits, values);
    const int64_t size = std::ssize(arms);
    const int64_t each = std::max<int64_t>(
        i + 1 == rounds ? left / size : plan.answers / (rounds * size),
        i == 0 ? 1 : 0);
    const int64_t given = std::min(each, left / size);
    for (const size_t arm : arms) limits[arm] += given;
    left -= given * size;
  }
  return limits;
}

}  // namespace kb::search
