#include "timing/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "pooled.h"
#include "sides.h"
#include "stats/bootstrap.h"
#include "stats/summary.h"

namespace kb::timing {
namespace {

using record::Interval;
using record::Ruler;
using record::TimeSummary;
using record::Trial;

// Standard error of a median, from the quartiles: 1.2533 sigma / sqrt(n) with
// sigma = IQR / 1.349, as for a normal distribution.
double ErrorOfMedian(const std::vector<double>& values) {
  const double range =
      stats::Quantile(values, 0.75) - stats::Quantile(values, 0.25);
  return 0.929 * range / std::sqrt(static_cast<double>(values.size()));
}

// Of one call.
double ErrorOf(const Readings& readings, const Ruler& ruler) {
  const double one = ErrorOfMedian(readings.one);
  if (ruler.calls <= 1) return one;
  return std::hypot(one, ErrorOfMedian(readings.chain)) /
         static_cast<double>(ruler.calls - 1);
}

// By how much one call's time may be off on cpu, where most readings may have
// been made longer: from how far the least are from the quartiles. Twice, as
// that of exponential pauses in six readings wants.
double DoubtOf(const Readings& readings, const Ruler& ruler) {
  constexpr double k95 = 2;
  const double one = k95 * ErrorOfLeast(readings.one);
  if (ruler.calls <= 1) return one;
  return std::hypot(one, k95 * ErrorOfLeast(readings.chain)) /
         static_cast<double>(ruler.calls - 1);
}

// Of the logarithm of the ratio, as the spread of the readings says.
double ErrorOfRatio(const Sides& sides, const Ruler& ruler) {
  return std::hypot(
      ErrorOf(sides.reference, ruler) / CallMicros(sides.reference, ruler),
      ErrorOf(sides.candidate, ruler) / CallMicros(sides.candidate, ruler));
}

// Standard deviation of the logarithm of a call's time between processes on one
// device: placement in memory, the rate at which a context launches. Measured
// with references against themselves (docs/timing.md).
struct Spread {
  double always;  // also of long calls
  double brief;   // on top of it, of calls far below `long_us`
  double micros;  // on top of both, of each kernel
  double long_us;
  double convolution = 0;  // more than `brief`, of those of 30 to 600 us
  double place = 0;  // on top, where places matter, of calls of any length
};
// One process shows nothing of it, so that convolutions count, which differ
// most; several show what is more than usual. Of places half of the 6 % between
// the two times of level1/68 (results/place_h200.txt), and what five processes
// need for 92 % of intervals to hold such a pair (processes_test.cc).
constexpr Spread kOfOne{0.0005, 0.005, 0.03, 600, 0, 0.03};
constexpr Spread kUsual{0.001, 0.002, 0.01, 2500, 0.007, 0.02};
// Before anything is read, calls of a millisecond or two get several processes:
// five halve what chance does to them.
constexpr Spread kBeforehand{0.001, 0.005, 0.03, 2500, 0, 0.03};

// Where launches show: level2/83 against itself on one processor of an H100,
// ten processes of each side (docs/timing.md).
constexpr double kOpen = 0.03;
constexpr double kOpenMicros = 400;

// Of two processes with the same pages for inputs and outputs, on two virtual
// processors (results/cpu_ruler.txt, "Processes").
constexpr double kOfCpu = 0.05;

// `kernel_us`: what one kernel takes that starts with cold caches.
double Between(double micros, double kernel_us, const Ruler& ruler,
               const Spread& spread, bool cuda) {
  constexpr double kFromMicros = 30;
  constexpr double kToMicros = 600;
  if (!cuda) return kOfCpu;
  const double open = ruler.gated ? 0 : std::min(kOpen, kOpenMicros / micros);
  double brief = spread.brief;
  if (ruler.convolves)
    brief += spread.convolution /
             (1 + Squared(kFromMicros / micros) + Squared(micros / kToMicros));
  const double place = ruler.by_place ? spread.place : 0;
  return open + place + spread.always +
         brief / (1 + Squared(micros / spread.long_us)) +
         spread.micros / std::min(micros, kernel_us);
}

// The same of the ratio of two call times. Caches are cold for every kernel of
// a call that is read alone, and a candidate's kernels are taken to be as long
// as the reference's; in a chain they are for the first call.
double SpreadOfRatio(double reference_us, double candidate_us,
                     const Ruler& ruler, const Spread& spread, bool cuda) {
  const double kernel_us =
      ruler.calls > 1 ? std::numeric_limits<double>::infinity()
                      : reference_us / static_cast<double>(ruler.operators);
  const auto between = [&](double micros) {
    return Between(micros, kernel_us, ruler, spread, cuda);
  };
  return std::hypot(between(reference_us), between(candidate_us));
}

// Half an interval that the rules want, for a policy's relative error; and the
// most with which they leave it at five processes: where it is wider, of two in
// a hundred references, the ratio of five is off by more than 3 % now and then.
constexpr double kWantedErrors = 2.5;
constexpr double kBearableErrors = 4;

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

bool KnowsAlone(int64_t processes, double micros, const OnceNoise& noise) {
  constexpr double kShare = 0.005;
  return Squared(kShare * micros) * static_cast<double>(processes) >=
         Squared(noise.known);
}

// Half a 95 % interval of a mean, in standard errors: Student's t for as many
// values. One says nothing.
double HalfOfFew(const std::vector<double>& values) {
  constexpr double kNothing = 14;  // a factor of a million
  constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776};
  const size_t count = values.size();
  if (count < 2) return kNothing;
  return kStudent.at(count - 2) * stats::Summarize(values).stddev /
         std::sqrt(static_cast<double>(count));
}

// Readings of fewer rounds hardly differ, so that these say no less than
// HalfOfFew.
constexpr size_t kFewRounds = 6;

Interval NoNarrower(const Interval& found, double half) {
  return {found.estimate, std::min(found.low, found.estimate * std::exp(-half)),
          std::max(found.high, found.estimate * std::exp(half))};
}

std::vector<double> LogsOfRatios(const std::vector<Sides>& sides,
                                 const Ruler& ruler) {
  std::vector<double> logs;
  for (const Sides& each : sides)
    logs.push_back(std::log(CallMicros(each.reference, ruler) /
                            CallMicros(each.candidate, ruler)));
  return logs;
}

std::vector<double> LogsOfRounds(const std::vector<const Trial*>& trials,
                                 const Ruler& ruler) {
  std::vector<Sides> rounds;
  for (const Trial* trial : trials) rounds.push_back(SidesOf({trial}, ruler));
  return LogsOfRatios(rounds, ruler);
}

// Several processes: their own differences and, with the weight of two more,
// those that processes usually have.
Interval SpeedupOfSeveral(const std::vector<Sides>& processes,
                          const Ruler& ruler, double known_spread) {
  std::vector<double> within;
  for (const Sides& sides : processes)
    within.push_back(ErrorOfRatio(sides, ruler));
  const stats::Summary summary =
      stats::Summarize(LogsOfRatios(processes, ruler));
  const double ratio = MicrosOf(processes, &Sides::reference, ruler) /
                       MicrosOf(processes, &Sides::candidate, ruler);
  const double known = Squared(known_spread) + Squared(stats::Median(within));
  const double half = kFew95 * std::sqrt(PooledVariance(summary, known) /
                                         static_cast<double>(summary.count));
  return {ratio, ratio * std::exp(-half), ratio * std::exp(half)};
}

// Where launches show: as of several processes, but round by round.
Interval SpeedupOfRounds(const std::vector<Sides>& rounds, const Ruler& ruler) {
  Interval found = SpeedupOfSeveral(rounds, ruler, kOfRound);
  if (rounds.size() >= kFewRounds) return found;
  return NoNarrower(found, HalfOfFew(LogsOfRatios(rounds, ruler)));
}

// 2000 resamples of whole rounds; where there are few, which hardly differ in
// resamples, no less than their logarithms say.
Interval SpeedupOfOne(const std::vector<const Trial*>& trials,
                      const Ruler& ruler, double known_spread) {
  constexpr uint64_t kSeed = 1;  // the same interval every time
  const auto ratio = [&](const std::vector<size_t>& drawn) {
    std::vector<const Trial*> sample;
    sample.reserve(drawn.size());
    for (const size_t index : drawn) sample.push_back(trials[index]);
    const Sides sides = SidesOf(sample, ruler);
    return CallMicros(sides.reference, ruler) /
           CallMicros(sides.candidate, ruler);
  };
  Interval found = stats::Resampled(trials.size(), kSeed, ratio);
  if (trials.size() < kFewRounds)
    found = NoNarrower(found, HalfOfFew(LogsOfRounds(trials, ruler)));
  return Widen(found, known_spread);
}

// Standard deviation of the logarithm of the ratio between two runs, on two
// devices of a kind, beside what processes of one run show of it. Devices of a
// kind differ in their clocks and memory, which moves the ratio of two kernels
// that are bound by different things; and what is added to a candidate alone is
// one number for all its processes. Both cancel of a kernel against itself, and
// kernels that take as long are most often bound by the same.
double BetweenRuns(double reference_us, double candidate_us, double doubt_us) {
  constexpr double kDevices = 0.0033;
  constexpr double kDifferent = 0.05;  // the logarithm of a ratio
  const double apart = std::abs(std::log(reference_us / candidate_us));
  return std::min(1.0, apart / kDifferent) *
         std::hypot(kDevices, doubt_us / candidate_us);
}

// Of one process of each side on cpu. A resample of few rounds hardly ever has
// fewer pauses than all of them, so that resamples do not say how much of the
// shorter side's time is pauses; and the quartiles of fewer than six say
// little.
Interval SpeedupOnCpu(const std::vector<const Trial*>& trials,
                      const Sides& sides, const Ruler& ruler,
                      double known_spread) {
  struct Away {
    double up, down;  // of the logarithm of a time
  };
  const auto away = [&](const Readings& readings) {
    const double micros = CallMicros(readings, ruler);
    const double doubt = DoubtOf(readings, ruler);
    return Away{std::log1p(doubt / micros),
                std::log(micros / std::max(kLeastMicros, micros - doubt))};
  };
  const Away reference = away(sides.reference);
  const Away candidate = away(sides.candidate);
  const double ratio =
      CallMicros(sides.reference, ruler) / CallMicros(sides.candidate, ruler);
  Interval found{ratio,
                 ratio * std::exp(-std::hypot(reference.down, candidate.up)),
                 ratio * std::exp(std::hypot(reference.up, candidate.down))};
  if (trials.size() < kFewRounds)
    found = NoNarrower(found, HalfOfFew(LogsOfRounds(trials, ruler)));
  return Widen(found, known_spread);
}

// Who else wants the processor makes calls longer that do not end within a
// slice of its time, and others not: four ReLUs were 0.15 [0.13, 0.17] of one
// beside two compilers, where 0.27 is true. What either side waited may be all
// of what it took longer, or none, since a process could make itself wait for
// others of its own.
Interval AllowForWaits(const Interval& found, const Ruler& ruler) {
  constexpr double kMost = 0.95;
  return {found.estimate,
          found.low * (1 - std::min(kMost, ruler.reference_waited)),
          found.high / (1 - std::min(kMost, ruler.candidate_waited))};
}

// The reference could have been gated, but for its candidate.
bool WasShutOut(const Ruler& ruler) {
  return ruler.control_gated && !ruler.gated;
}

// What an interval shall cover beside the noise of readings: what other
// processes on this device show, or also other devices.
enum class Covers { kProcesses, kRuns };

Interval SpeedupOf(const std::vector<Trial>& trials, const Ruler& ruler,
                   bool cuda, Covers covers) {
  const std::vector<const Trial*> counted = Counted(trials);
  KB_CHECK(!counted.empty());
  const std::vector<Sides> processes = SidesByProcess(counted, ruler);
  const double reference = MicrosOf(processes, &Sides::reference, ruler);
  const double candidate = MicrosOf(processes, &Sides::candidate, ruler);
  const size_t read = ByProcess(counted).size();
  const double spread = SpreadOfRatio(reference, candidate, ruler,
                                      read > 1 ? kUsual : kOfOne, cuda);
  const auto find = [&] {
    // Its rounds differ by more than its processes.
    if (!ruler.gated)
      return Widen(SpeedupOfRounds(processes, ruler),
                   spread / std::sqrt(static_cast<double>(read)));
    if (read > 1) return SpeedupOfSeveral(processes, ruler, spread);
    return cuda ? SpeedupOfOne(counted, ruler, spread)
                : SpeedupOnCpu(counted, processes.front(), ruler, spread);
  };
  Interval found = find();
  if (cuda && covers == Covers::kRuns)
    found = Widen(found,
                  BetweenRuns(reference, candidate, processes.front().doubt));
  const double share = CountedShareOfReference(trials, ruler);
  // Whether somebody else slowed it down is not known.
  found = {found.estimate * share, found.low * share,
           found.high * (WasShutOut(ruler) ? share : 1)};
  return cuda ? found : AllowForWaits(found, ruler);
}

// Round by round with their process's constant: one round's own may hold a
// pause of the host.
TimeSummary TimeOf(const std::vector<Trial>& trials, const Ruler& ruler,
                   double Trial::* one, double Trial::* chain,
                   Readings Sides::* side) {
  const std::vector<const Trial*> counted = Counted(trials);
  std::vector<double> rounds;
  for (const auto& process : ByProcess(counted)) {
    const double constant =
        ConstantOf(Column(process, &Trial::constant_us), ruler) +
        (side == &Sides::candidate ? OnceApart(process) : 0);
    for (const Trial* trial : process)
      rounds.push_back(
          RoundMicros(trial->*one, trial->*chain, constant, ruler));
  }
  TimeSummary time = Summarize(std::move(rounds));
  time.median = MicrosOf(SidesByProcess(counted, ruler), side, ruler);
  return time;
}

}  // namespace

double RelativeUncertainty(const Sides& sides, const Ruler& ruler) {
  constexpr size_t kLeastRounds = 4;
  constexpr double k95 = 1.96;
  if (sides.reference.one.size() < kLeastRounds)
    return std::numeric_limits<double>::infinity();
  return k95 * ErrorOfRatio(sides, ruler);
}

int64_t ProcessesFor(const record::Policy& policy, double reference_us,
                     double candidate_us, const Ruler& ruler, bool cuda) {
  constexpr int64_t kMost = 5;
  constexpr double k95 = 1.96;
  if (policy.processes > 0) return policy.processes;
  const bool fixed = policy.min_timed_trials == policy.max_timed_trials;
  if (!cuda || fixed || policy.relative_error <= 0) return 1;
  const double half =
      k95 * SpreadOfRatio(reference_us, candidate_us, ruler, kBeforehand, cuda);
  return half <= kWantedErrors * policy.relative_error ? 1 : kMost;
}

bool EnoughProcesses(const record::Policy& policy,
                     const std::vector<Trial>& trials, int64_t read,
                     const Ruler& ruler, bool cuda, bool trusted) {
  constexpr size_t kLeast = 2;
  constexpr int64_t kMost = 12;
  const std::vector<const Trial*> counted = Counted(trials);
  const std::vector<Sides> processes = SidesByProcess(counted, ruler);
  const OnceNoise& noise = OnceNoiseOf(counted);
  if (read == 0 || KnownToBeBelow(policy, trials, ruler, cuda)) return true;
  const bool may_be_more =
      policy.processes == 0 && ruler.processes > 1 && !processes.empty();
  if (!trusted && may_be_more && MayDoCallsTogether(processes, ruler) &&
      !KnowsAlone(read, MicrosOf(processes, &Sides::candidate, ruler), noise) &&
      read < std::max(noise.most_processes, ruler.processes))
    return false;
  const bool as_many = read >= ruler.processes;
  if (policy.processes > 0 || !ruler.gated || ruler.processes == 1 ||
      processes.size() < kLeast || read >= kMost)
    return as_many;
  if (as_many && ruler.calls <= 1) return true;  // long, and large on a device
  const double spread = SpreadOfRatio(
      MicrosOf(processes, &Sides::reference, ruler),
      MicrosOf(processes, &Sides::candidate, ruler), ruler, kUsual, cuda);
  const Interval found = SpeedupOfSeveral(processes, ruler, spread);
  return std::log(found.high / found.estimate) <=
         (as_many ? kBearableErrors : kWantedErrors) * policy.relative_error;
}

// Process by process, as the control was read; or by the rounds that count,
// with all that a call takes alone without a gate. That is the host's time, 15
// to 70 us in PyTorch, and by processes less of it was seen than counted: who
// shut the gate gained half of his time.
double CountedShareOfReference(const std::vector<Trial>& trials,
                               const Ruler& ruler) {
  const std::vector<const Trial*> counted = Counted(trials);
  if (ruler.control_us <= 0 || counted.empty()) return 1;
  std::vector<Sides> sides;
  if (WasShutOut(ruler))
    sides = SidesByProcess(counted, ruler);
  else
    for (const auto& process : ByProcess(counted))
      sides.push_back(SidesOf(process, ruler));
  const double reference = MicrosOf(sides, &Sides::reference, ruler);
  return std::min(
      1.0, (1 + ShareAboveControl(ruler)) * ruler.control_us / reference);
}

// Less would hold chance against the candidate, and never for it: with 2 % on
// cpu, where readings vary by 10 %, references were 0.91x of themselves. More
// on a GPU, also without a gate, would be a gain for who has it shut out.
// Nobody has where the reference waits for the device by itself; it waits
// longer for its calls while there is a candidate, and takes longer at them.
double ShareAboveControl(const Ruler& ruler) {
  const bool waits =
      ruler.reference_launches == record::Launches::kPartlyHidden;
  return IsOfCpu(ruler) || waits ? 0.25 : 0.02;
}

Interval Speedup(const std::vector<Trial>& trials, const Ruler& ruler,
                 bool cuda) {
  return SpeedupOf(trials, ruler, cuda, Covers::kRuns);
}

bool KnownToBeBelow(const record::Policy& policy,
                    const std::vector<Trial>& trials, const Ruler& ruler,
                    bool cuda) {
  constexpr size_t kLeastRounds = 4;
  const bool fixed = policy.min_timed_trials == policy.max_timed_trials;
  if (policy.stop_below <= 0 || fixed || Counted(trials).size() < kLeastRounds)
    return false;
  const Interval found = SpeedupOf(trials, ruler, cuda, Covers::kProcesses);
  return found.high / found.estimate * found.high < policy.stop_below;
}

TimeSummary Summarize(std::vector<double> values) {
  const stats::Summary s = stats::Summarize(std::move(values));
  return {s.count, s.median, s.mean, s.stddev, s.min, s.max, s.q25, s.q75};
}

TimeSummary ReferenceTime(const std::vector<Trial>& trials,
                          const Ruler& ruler) {
  TimeSummary time = TimeOf(trials, ruler, &Trial::reference_one_us,
                            &Trial::reference_chain_us, &Sides::reference);
  const double share = CountedShareOfReference(trials, ruler);
  for (double TimeSummary::* micros :
       {&TimeSummary::median, &TimeSummary::mean, &TimeSummary::stddev,
        &TimeSummary::min, &TimeSummary::max, &TimeSummary::q25,
        &TimeSummary::q75})
    time.*micros *= share;
  return time;
}

TimeSummary CandidateTime(const std::vector<Trial>& trials,
                          const Ruler& ruler) {
  return TimeOf(trials, ruler, &Trial::candidate_one_us,
                &Trial::candidate_chain_us, &Sides::candidate);
}

}  // namespace kb::timing
