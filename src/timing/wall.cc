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

// Standard deviations of the logarithm of the ratio, of references against
// themselves on an H100: of a round, and of a process of each side.
constexpr double kOfRound = 0.03;
constexpr double kOfProcess = 0.03;

// Half the interval of the ratio's logarithm.
double HalfOf(const std::vector<double>& logs, size_t processes) {
  const double of_rounds =
      PooledVariance(stats::Summarize(logs), kOfRound * kOfRound) /
      static_cast<double>(logs.size());
  return kFew95 * std::sqrt(of_rounds + kOfProcess * kOfProcess /
                                            static_cast<double>(processes));
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
  const double ratio = stats::Median(reference) / stats::Median(candidate);
  const double half = HalfOf(logs, processes.size());
  return Wall{Summarize(reference),
              Summarize(candidate),
              {ratio, ratio * std::exp(-half), ratio * std::exp(half)}};
}

}  // namespace kb::timing
