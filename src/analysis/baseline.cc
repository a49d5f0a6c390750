#include "analysis/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace kb::analysis {
namespace {

// What has to agree besides the problem. An answer that holds no candidate ran
// nowhere, so only its problem counts.
std::string PlaceOf(record::Size size, record::Precision precision,
                    const std::string& device, const std::string& driver,
                    const std::string& torch) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", record::SizeName(size),
                     record::PrecisionName(precision), device, driver, torch);
}

// By problem and by place: mode's median over eager's.
using Factors = std::map<std::string, std::map<std::string, double>>;

Factors FactorsOf(const std::vector<record::Baseline>& baselines,
                  record::BaselineMode mode, int64_t ruler) {
  Factors factors;
  for (const record::Baseline& b : baselines)
    if (b.mode == mode && b.ruler == ruler && b.time && b.eager &&
        b.time->median > 0 && b.eager->median > 0)
      factors[b.problem_hash][PlaceOf(b.size, b.precision, b.device.name,
                                      b.device.driver, b.device.torch)] =
          b.time->median / b.eager->median;
  return factors;
}

// Today's where nothing was timed.
int64_t NewestRuler(const std::vector<Entry>& entries) {
  int64_t ruler = 0;
  for (const Entry& entry : entries)
    ruler = std::max(ruler, entry.outcome.ruler);
  return ruler == 0 ? record::kRulerVersion : ruler;
}

// False: nothing is known.
bool Scale(const Factors& factors, record::Outcome* outcome) {
  const auto problem = factors.find(outcome->problem_hash);
  if (problem == factors.end()) return false;
  if (outcome->unusable) return true;
  const auto factor = problem->second.find(
      PlaceOf(outcome->size, outcome->precision, outcome->device_name,
              outcome->driver, outcome->torch));
  if (factor != problem->second.end()) {
    if (outcome->speedup) *outcome->speedup *= factor->second;
    return true;
  }
  // What never reached the device does not know which one it was.
  return outcome->device_name.empty();
}

}  // namespace

int64_t Rebase(std::vector<Entry>* entries,
               const std::vector<record::Baseline>& baselines,
               record::BaselineMode mode) {
  if (mode == record::BaselineMode::kEager) return 0;
  const Factors factors = FactorsOf(baselines, mode, NewestRuler(*entries));
  return static_cast<int64_t>(std::erase_if(
      *entries, [&](Entry& entry) { return !Scale(factors, &entry.outcome); }));
}

}  // namespace kb::analysis
