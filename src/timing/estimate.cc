#include "timing/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "stats/bootstrap.h"
#include "stats/summary.h"

namespace kb::timing {
namespace {

using record::Interval;
using record::Ruler;
using record::TimeSummary;
using record::Trial;

// A slope of noise can be anything; a time cannot.
constexpr double kLeastMicros = 1e-3;

// The reference never counts for more than this above what it takes when the
// candidate's process has gone.
constexpr double kMostAboveControl = 1.02;

double RawMicros(double one, double chain, double constant,
                 const Ruler& ruler) {
  if (ruler.calls <= 1) return one - constant;
  const double slope = (chain - one) / static_cast<double>(ruler.calls - 1);
  const double allowance = std::max(ruler.alone_us, ruler.alone_share * slope);
  return std::max(slope, one - constant - allowance);
}

std::vector<double> Column(const std::vector<const Trial*>& trials,
                           double Trial::* member) {
  std::vector<double> values;
  values.reserve(trials.size());
  for (const Trial* trial : trials) values.push_back(trial->*member);
  return values;
}

std::vector<const Trial*> Counted(const std::vector<Trial>& trials) {
  std::vector<const Trial*> counted;
  for (const Trial& trial : trials)
    if (trial.timed && trial.counts) counted.push_back(&trial);
  return counted;
}

Sides SidesOf(const std::vector<const Trial*>& trials) {
  Sides sides;
  if (trials.empty()) return sides;
  sides.reference.one = Column(trials, &Trial::reference_one_us);
  sides.reference.chain = Column(trials, &Trial::reference_chain_us);
  sides.candidate.one = Column(trials, &Trial::candidate_one_us);
  sides.candidate.chain = Column(trials, &Trial::candidate_chain_us);
  sides.reference.constant = stats::Median(Column(trials, &Trial::constant_us));
  // What a chain costs once is the same for both: only our own process is
  // asked, because the candidate's could make it look longer.
  sides.candidate.constant = sides.reference.constant;
  return sides;
}

// Standard error of a median, from the quartiles: 1.2533 sigma / sqrt(n) with
// sigma = IQR / 1.349, as for a normal distribution.
double ErrorOfMedian(const std::vector<double>& values) {
  const double range =
      stats::Quantile(values, 0.75) - stats::Quantile(values, 0.25);
  return 0.929 * range / std::sqrt(static_cast<double>(values.size()));
}

double ErrorOf(const Readings& readings, const Ruler& ruler) {
  const double one = ErrorOfMedian(readings.one);
  if (ruler.calls <= 1) return one;
  return std::hypot(one, ErrorOfMedian(readings.chain)) /
         static_cast<double>(ruler.calls - 1);
}

// Standard deviation of the logarithm of a call's time between processes on one
// device: placement in memory, the rate at which a context launches. Measured
// with references against themselves (docs/timing.md).
double SpreadBetweenProcesses(double micros, bool cuda) {
  if (!cuda) return 0.02;
  const double milliseconds = micros / 1000;
  const double shorter = milliseconds / 0.6;
  return 0.001 + 0.007 / (1 + shorter * shorter) + 0.08 / micros;
}

double Squared(double x) { return x * x; }

// Wider by a spread that resampling cannot see.
Interval Widen(const Interval& interval, double spread) {
  constexpr double k95 = 1.96;
  const auto wider = [&](double edge) {
    return std::sqrt(Squared(std::log(edge / interval.estimate)) +
                     Squared(k95 * spread));
  };
  return {interval.estimate, interval.estimate * std::exp(-wider(interval.low)),
          interval.estimate * std::exp(wider(interval.high))};
}

TimeSummary TimeOf(const std::vector<Trial>& trials, const Ruler& ruler,
                   double Trial::* each, const Readings& readings) {
  TimeSummary time = Summarize(Column(Counted(trials), each));
  time.median = CallMicros(readings, ruler);
  return time;
}

double CappedReference(double reference, const Ruler& ruler) {
  if (ruler.control_us <= 0) return reference;
  return std::min(reference, kMostAboveControl * ruler.control_us);
}

}  // namespace

double RoundMicros(double one, double chain, double constant,
                   const Ruler& ruler) {
  return std::max(kLeastMicros, RawMicros(one, chain, constant, ruler));
}

double CallMicros(const Readings& readings, const Ruler& ruler) {
  KB_CHECK(!readings.one.empty());
  return RoundMicros(stats::Median(readings.one),
                     ruler.calls > 1 ? stats::Median(readings.chain) : 0,
                     readings.constant, ruler);
}

Sides SidesOf(const std::vector<Trial>& trials) {
  return SidesOf(Counted(trials));
}

double RelativeUncertainty(const Sides& sides, const Ruler& ruler) {
  constexpr size_t kLeastRounds = 4;
  constexpr double k95 = 1.96;
  if (sides.reference.one.size() < kLeastRounds)
    return std::numeric_limits<double>::infinity();
  return k95 * std::hypot(ErrorOf(sides.reference, ruler) /
                              CallMicros(sides.reference, ruler),
                          ErrorOf(sides.candidate, ruler) /
                              CallMicros(sides.candidate, ruler));
}

Interval Speedup(const std::vector<Trial>& trials, const Ruler& ruler,
                 bool cuda) {
  const std::vector<const Trial*> counted = Counted(trials);
  KB_CHECK(!counted.empty());
  constexpr uint64_t kSeed = 1;  // the same interval every time
  const auto ratio = [&](const std::vector<size_t>& drawn) {
    std::vector<const Trial*> sample;
    sample.reserve(drawn.size());
    for (const size_t index : drawn) sample.push_back(counted[index]);
    const Sides sides = SidesOf(sample);
    return CallMicros(sides.reference, ruler) /
           CallMicros(sides.candidate, ruler);
  };
  const stats::Interval found = stats::Resampled(counted.size(), kSeed, ratio);
  const Sides sides = SidesOf(counted);
  const double reference = CallMicros(sides.reference, ruler);
  const double candidate = CallMicros(sides.candidate, ruler);
  const Interval wide =
      Widen({found.estimate, found.low, found.high},
            std::hypot(SpreadBetweenProcesses(reference, cuda),
                       SpreadBetweenProcesses(candidate, cuda)));
  const double share = CappedReference(reference, ruler) / reference;
  return {found.estimate * share, wide.low * share, wide.high};
}

TimeSummary Summarize(std::vector<double> values) {
  const stats::Summary s = stats::Summarize(std::move(values));
  return {s.count, s.median, s.mean, s.stddev, s.min, s.max, s.q25, s.q75};
}

TimeSummary ReferenceTime(const std::vector<Trial>& trials,
                          const Ruler& ruler) {
  const Sides sides = SidesOf(trials);
  TimeSummary time =
      TimeOf(trials, ruler, &Trial::reference_us, sides.reference);
  time.median = CappedReference(time.median, ruler);
  return time;
}

TimeSummary CandidateTime(const std::vector<Trial>& trials,
                          const Ruler& ruler) {
  return TimeOf(trials, ruler, &Trial::candidate_us, SidesOf(trials).candidate);
}

}  // namespace kb::timing
