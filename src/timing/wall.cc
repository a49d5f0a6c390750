#include "timing/wall.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "pooled.h"
#include "sides.h"
#include "stats/summary.h"
#include "timing/estimate.h"

namespace kb::timing {
namespace {

// As kOfRound, of a process of each side.
constexpr double kOfProcess = 0.03;

// The same between two runs, of calls below this time: a host is now and then
// half as fast, and the longer side may be the host's time and the other one
// the device's. Both are the same of a thing against itself.
double OfHost(double log_ratio, double longer_us) {
  constexpr double kOfHost = 0.12;
  constexpr double kMicros = 300;
  constexpr double kDifferent = 0.05;
  return kOfHost * std::min(1.0, kMicros / longer_us) *
         std::min(1.0, std::abs(log_ratio) / kDifferent);
}

// Half the interval of the ratio's logarithm.
double HalfOf(const std::vector<double>& logs, size_t processes,
              double of_host) {
  constexpr double k95 = 1.96;
  const double of_rounds =
      PooledVariance(stats::Summarize(logs), Squared(kOfRound)) /
      static_cast<double>(logs.size());
  const double of_processes =
      Squared(kOfProcess) / static_cast<double>(processes);
  return std::hypot(kFew95 * std::sqrt(of_rounds + of_processes),
                    k95 * of_host);
}

// References against themselves differ by so much in what a chain costs once,
// on an H100; of 33 calls it is 1 us a call.
constexpr double kOnceWallMicros = 30;

double SlopeOf(const WallReadings& readings) {
  return (readings.chain - readings.one) /
         static_cast<double>(readings.calls - 1);
}

}  // namespace

OfBoth WallMicros(const WallReadings& reference, const WallReadings& candidate,
                  double constant) {
  OfBoth micros{reference.one - constant, candidate.one - constant};
  double once = constant;
  if (reference.calls > 1) {
    micros.reference = SlopeOf(reference);
    once = std::max(once, reference.one - micros.reference);
  }
  if (candidate.calls > 1)
    micros.candidate = std::max(SlopeOf(candidate),
                                (candidate.chain - once - kOnceWallMicros) /
                                    static_cast<double>(candidate.calls));
  return {std::max(kLeastMicros, micros.reference),
          std::max(kLeastMicros, micros.candidate)};
}

std::optional<Wall> WallOf(const std::vector<record::Trial>& trials) {
  std::vector<double> reference, candidate, logs;
  std::set<int64_t> processes;
  for (const record::Trial& trial : trials) {
    const double r = trial.reference_wall_us;
    const double c = trial.candidate_wall_us;
    if (!trial.timed || !trial.counts || r <= 0 || c <= 0) continue;
    reference.push_back(r);
    candidate.push_back(c);
    logs.push_back(std::log(r / c));
    processes.insert(trial.process);
  }
  if (logs.empty()) return std::nullopt;
  const double middle = stats::Median(logs);
  const double ratio = std::exp(middle);
  const double longer =
      std::max(stats::Median(reference), stats::Median(candidate));
  const double half = HalfOf(logs, processes.size(), OfHost(middle, longer));
  return Wall{Summarize(reference),
              Summarize(candidate),
              {ratio, ratio * std::exp(-half), ratio * std::exp(half)}};
}

}  // namespace kb::timing
