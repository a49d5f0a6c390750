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
// Copies of gigabytes vary by one to two percent from call to call when nothing
// else runs, and by up to five between allocations (H200).
constexpr double kStageShare = 0.02;
constexpr double kCopyShare = 0.06;

struct Spread {
  double median;
  double half_width;
};

Spread SpreadOf(const std::vector<double>& values, double least) {
  const double q25 = stats::Quantile(values, 0.25);
  const double q75 = stats::Quantile(values, 0.75);
  return {stats::Quantile(values, 0.5), std::max(least, kRanges * (q75 - q25))};
}

std::vector<double> Column(const std::vector<record::Trial>& trials,
                           double (*pick)(const record::Trial&)) {
  std::vector<double> values;
  values.reserve(trials.size());
  for (const record::Trial& trial : trials) values.push_back(pick(trial));
  return values;
}

// The constant for a call of this length: between the two that were measured,
// in proportion.
double ConstantFor(const record::Calibration& calibration, double claimed_us) {
  const double share =
      calibration.long_call_us > 0
          ? std::clamp(claimed_us / calibration.long_call_us, 0.0, 1.0)
          : 0.0;
  return calibration.constant_us +
         share * (calibration.long_constant_us - calibration.constant_us);
}

double Overhead(const record::Trial& trial) {
  return trial.certified_us - trial.claimed_us - trial.copy_us;
}

}  // namespace

Slack SlackFor(bool cuda, record::Track track) {
  // On cpu both sides share the cores with the work itself, so the hand-over
  // waits for the scheduler.
  if (!cuda) return {5000, 0.25};
  return track == record::Track::kNative ? Slack{25, 0.002} : Slack{60, 0.005};
}

record::Calibration Calibrate(const std::vector<record::Trial>& trials,
                              Slack slack) {
  KB_CHECK(trials.size() >= 8);
  // Our own work alternates between short and long.
  std::vector<double> claimed =
      Column(trials, [](const record::Trial& t) { return t.claimed_us; });
  const double middle = (*std::min_element(claimed.begin(), claimed.end()) +
                         *std::max_element(claimed.begin(), claimed.end())) /
                        2;
  std::vector<record::Trial> brief, lasting;
  for (const record::Trial& trial : trials)
    (trial.claimed_us < middle ? brief : lasting).push_back(trial);
  if (lasting.empty()) lasting = brief;

  const Spread short_calls = SpreadOf(Column(brief, Overhead), slack.micros);
  const Spread long_calls = SpreadOf(Column(lasting, Overhead), slack.micros);
  const Spread stage = SpreadOf(
      Column(trials, [](const record::Trial& t) { return t.stage_us; }),
      slack.micros);
  const Spread settle = SpreadOf(
      Column(trials, [](const record::Trial& t) { return t.settle_us; }),
      // The first sample waits for one switch of the device between processes,
      // whose length varies more than the rest. It need not be narrow: the
      // sample's words are compared with a later look, which finds late writes.
      kSettleSlacks * slack.micros);
  const Spread copy =
      SpreadOf(Column(trials, [](const record::Trial& t) { return t.copy_us; }),
               slack.micros);
  record::Calibration calibration;
  calibration.constant_us = short_calls.median;
  calibration.long_constant_us = long_calls.median;
  calibration.long_call_us = stats::Median(
      Column(lasting, [](const record::Trial& t) { return t.claimed_us; }));
  const double half_width =
      std::max(short_calls.half_width, long_calls.half_width);
  // A candidate that claims more than the certified clock allows for gains
  // nothing; only what is impossible does not count.
  calibration.low_us = -std::max(half_width, calibration.constant_us);
  calibration.high_us = half_width;
  calibration.copy_high_us =
      copy.median + copy.half_width + kCopyShare * copy.median;
  calibration.stage_high_us =
      stage.median + stage.half_width + kStageShare * stage.median;
  calibration.settle_high_us = settle.median + settle.half_width;
  calibration.samples = static_cast<int64_t>(trials.size());
  return calibration;
}

void Certify(const record::Calibration& calibration, Slack slack,
             record::Trial* trial) {
  const double extra = slack.of_claimed * trial->claimed_us;
  trial->overhead_us =
      Overhead(*trial) - ConstantFor(calibration, trial->claimed_us);
  trial->in_band = std::isfinite(trial->claimed_us) && trial->claimed_us > 0 &&
                   trial->overhead_us >= calibration.low_us - extra &&
                   trial->overhead_us <= calibration.high_us + extra &&
                   trial->copy_us <= calibration.copy_high_us &&
                   trial->stage_us <= calibration.stage_high_us &&
                   trial->settle_us <= calibration.settle_high_us;
}

}  // namespace kb::timing
