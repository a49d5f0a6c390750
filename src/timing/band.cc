#include "timing/band.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "stats/summary.h"

namespace kb::timing {
namespace {

// A quiet machine's spread around the median, widened where calibration itself
// was noisy: four interquartile ranges hold all but about one honest trial in
// ten thousand of a normal distribution (5.4 sigma).
constexpr double kRanges = 4;

constexpr double kSettleSlacks = 10;
// Copies of gigabytes vary by about one percent.
constexpr double kStageShare = 0.02;

struct Spread {
  double median;
  double half_width;
};

Spread SpreadOf(std::vector<double> values, double least) {
  const double q25 = stats::Quantile(values, 0.25);
  const double q75 = stats::Quantile(values, 0.75);
  return {stats::Quantile(values, 0.5),
          std::max(least, kRanges * (q75 - q25))};
}

std::vector<double> Column(const std::vector<record::Trial>& trials,
                           double (*pick)(const record::Trial&)) {
  std::vector<double> values;
  values.reserve(trials.size());
  for (const record::Trial& trial : trials) values.push_back(pick(trial));
  return values;
}

}  // namespace

Slack SlackFor(bool cuda, record::Track track) {
  // On cpu both sides share the cores with the work itself, so the hand-over
  // waits for the scheduler.
  if (!cuda) return {5000, 0.25};
  return track == record::Track::kNative ? Slack{15, 0.002}
                                         : Slack{30, 0.002};
}

record::Calibration Calibrate(const std::vector<record::Trial>& trials,
                              Slack slack) {
  KB_CHECK(trials.size() >= 8);
  const Spread overhead = SpreadOf(
      Column(trials,
             [](const record::Trial& t) {
               return t.certified_us - t.claimed_us;
             }),
      slack.micros);
  const Spread stage =
      SpreadOf(Column(trials, [](const record::Trial& t) { return t.stage_us; }),
               slack.micros);
  const Spread settle = SpreadOf(
      Column(trials, [](const record::Trial& t) { return t.settle_us; }),
      // The first sample waits for one switch of the device between processes,
      // whose length varies more than the rest. It need not be narrow: the
      // sample's words are compared with a later look, which finds late writes.
      kSettleSlacks * slack.micros);
  record::Calibration calibration;
  calibration.constant_us = overhead.median;
  calibration.low_us = overhead.median - overhead.half_width;
  calibration.high_us = overhead.median + overhead.half_width;
  calibration.stage_high_us =
      stage.median + stage.half_width + kStageShare * stage.median;
  calibration.settle_high_us = settle.median + settle.half_width;
  calibration.samples = static_cast<int64_t>(trials.size());
  return calibration;
}

void Certify(const record::Calibration& calibration, Slack slack,
             record::Trial* trial) {
  const double difference = trial->certified_us - trial->claimed_us;
  const double extra = slack.of_claimed * trial->claimed_us;
  trial->overhead_us = difference - calibration.constant_us;
  trial->in_band = std::isfinite(trial->claimed_us) && trial->claimed_us > 0 &&
                   difference >= calibration.low_us - extra &&
                   difference <= calibration.high_us + extra &&
                   trial->stage_us <= calibration.stage_high_us &&
                   trial->settle_us <= calibration.settle_high_us;
}

}  // namespace kb::timing
