#include "analysis/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace kb::analysis {
namespace {

using base::Result;
using record::BaselineMode;

constexpr const char* kEagerOrCompile = "eager-or-compile";

// What has to agree besides the problem.
std::string PlaceOf(const record::Size& size, record::Precision precision,
                    const std::string& device, const std::string& driver,
                    const std::string& torch) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", record::SizeName(size),
                     record::PrecisionName(precision), device, driver, torch);
}

// By problem and place.
using Place = std::pair<std::string, std::string>;

// An import's, which was timed by somebody, and compared with nothing.
bool CameWithoutBaseline(const record::Outcome& outcome) {
  return outcome.verdict == record::Verdict::kCorrect && outcome.ruler == 0 &&
         outcome.torch.empty();
}

// Of one mode, by what PyTorch was allowed of TF32: its median over eager's;
// none: it was tried and has no time.
using Factors = std::map<Place, std::map<std::string, std::optional<double>>>;

Factors FactorsOf(const std::vector<record::Baseline>& baselines,
                  BaselineMode mode, int64_t ruler) {
  Factors factors;
  for (const record::Baseline& b : baselines) {
    if (b.mode != mode || b.ruler != ruler) continue;
    const Place place(b.problem_hash,
                      PlaceOf(b.size, b.precision, b.device.name,
                              b.device.driver, b.device.torch));
    const bool timed =
        b.time && b.eager && b.time->median > 0 && b.eager->median > 0;
    factors[place][b.tf32] =
        timed ? std::optional(b.time->median / b.eager->median) : std::nullopt;
  }
  return factors;
}

// Today's where nothing was timed.
int64_t NewestRuler(const std::vector<Entry>& entries) {
  int64_t ruler = 0;
  for (const Entry& entry : entries)
    ruler = std::max(ruler, entry.outcome.ruler);
  return ruler == 0 ? record::kRulerVersion : ruler;
}

// The least of the modes' factors. None: one of them is not known, or none of
// them has a time.
std::optional<double> FactorOf(const record::Outcome& outcome,
                               const std::map<BaselineMode, Factors>& factors) {
  const Place place(
      outcome.problem_hash,
      PlaceOf(outcome.size, outcome.precision, outcome.device_name,
              outcome.driver, outcome.torch));
  std::optional<double> least;
  for (const auto& [mode, of_mode] : factors) {
    std::optional<double> factor = 1;
    if (mode != BaselineMode::kEager) {
      const auto found = of_mode.find(place);
      if (found == of_mode.end()) return std::nullopt;
      // An older result, or baseline, does not say.
      auto by_tf32 = found->second.find(outcome.tf32);
      if (by_tf32 == found->second.end()) by_tf32 = found->second.find("");
      if (by_tf32 == found->second.end() && outcome.tf32.empty())
        by_tf32 = std::prev(found->second.end());
      if (by_tf32 == found->second.end()) return std::nullopt;
      factor = by_tf32->second;
    }
    if (factor) least = std::min(least.value_or(*factor), *factor);
  }
  return least;
}

}  // namespace

Result<std::vector<BaselineMode>> BaselineModesOf(const std::string& name) {
  if (name == kEagerOrCompile)
    return std::vector{BaselineMode::kEager, BaselineMode::kCompile};
  const auto mode = record::ParseBaselineMode(name);
  if (!mode)
    return base::Usage("--baseline {}: there is no such; there are {}", name,
                       BaselineNames());
  return std::vector{*mode};
}

std::string BaselineNames() {
  return record::BaselineModeNames() + ", " + kEagerOrCompile;
}

int64_t Rebase(std::vector<Entry>* entries,
               const std::vector<record::Baseline>& baselines,
               const std::vector<BaselineMode>& modes) {
  const int64_t ruler = NewestRuler(*entries);
  std::map<BaselineMode, Factors> factors;
  for (const BaselineMode mode : modes)
    factors[mode] = FactorsOf(baselines, mode, ruler);
  int64_t without = 0;
  for (Entry& entry : *entries) {
    if (!entry.outcome.speedup) {
      entry.without_baseline |= CameWithoutBaseline(entry.outcome);
      continue;
    }
    const auto factor = FactorOf(entry.outcome, factors);
    if (factor) {
      *entry.outcome.speedup *= *factor;
      continue;
    }
    entry.outcome.speedup.reset();
    entry.without_baseline = true;
    ++without;
  }
  return without;
}

}  // namespace kb::analysis
