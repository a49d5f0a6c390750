#include "sides.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "base/check.h"
#include "pooled.h"
#include "stats/summary.h"
#include "timing/stopping.h"

namespace kb::timing {
namespace {

using record::Ruler;
using record::Trial;

// On cpu noise can be more than a short call: where it leaves nothing, a call
// takes what the chain says with all that it takes once.
double Slope(double one, double chain, const Ruler& ruler) {
  const double slope = (chain - one) / static_cast<double>(ruler.calls - 1);
  if (slope > 0 || !IsOfCpu(ruler)) return slope;
  return chain / static_cast<double>(ruler.calls);
}

double AllowanceOf(double slope, const Ruler& ruler) {
  return std::max(ruler.alone_us, ruler.alone_share * slope);
}

double Least(const std::vector<double>& values) {
  return *std::ranges::min_element(values);
}

// The median of readings that may end late, but not far from the least.
double NearTheLeast(const std::vector<double>& readings, double most) {
  return std::min(stats::Median(readings), Least(readings) + most);
}

double MostLateMicros(const Ruler& ruler) {
  constexpr double kLateMicros = 7;
  return std::max(kLateMicros, ruler.alone_us);
}

// Who else wants the cores makes most readings on cpu longer, by more than many
// a call: with four others on two processors a compiled loop that is six times
// as fast was 0.0 to 14 times. Alone the median is within this share.
double OnCpu(const std::vector<double>& readings) {
  constexpr double kMostAbove = 0.15;
  return NearTheLeast(readings, kMostAbove * Least(readings));
}

// One call for the slope: the median, as of the chains, because some rounds end
// 6 us later on an H200, both readings of it. A candidate could make other
// rounds longer, and its slope flatter, so that it is not far from the least.
double OneOf(const Readings& readings, const Ruler& ruler) {
  if (IsOfCpu(ruler)) return OnCpu(readings.one);
  if (ruler.calls <= 1) return stats::Median(readings.one);
  return NearTheLeast(readings.one, MostLateMicros(ruler));
}

double ChainOf(const Readings& readings, const Ruler& ruler) {
  return IsOfCpu(ruler) ? OnCpu(readings.chain) : stats::Median(readings.chain);
}

double SlopeOf(const Readings& readings, const Ruler& ruler) {
  return Slope(OneOf(readings, ruler), ChainOf(readings, ruler), ruler);
}

// A call alone beside one in a chain, of one process or in the middle of
// several. Microseconds.
struct Alone {
  double excess = 0;     // so much longer it takes
  double allowance = 0;  // what of that is no part of its time
  double added() const { return std::max(0.0, excess - allowance); }
};

Alone AloneOf(const Readings& readings, const Ruler& ruler) {
  if (ruler.calls <= 1) return {};
  const double slope = SlopeOf(readings, ruler);
  return {Least(readings.one) - readings.constant - slope,
          AllowanceOf(slope, ruler)};
}

// A candidate's excess counts from the reference's. PyTorch's kernels take up
// to 4 us less alone than in a chain, because no launch waits for the one
// before; a reference that takes much less has reasons of its own (GoogleNet in
// two streams 80 us, on an H200), for which its candidates do not pay.
double StartOfExcess(double excess_of_reference) {
  constexpr double kMostMicros = 5;
  return std::max(excess_of_reference, -kMostMicros);
}

// Standard errors that are left to chance.
constexpr double kCertain = 1.5;

// What a chain costs once differs by 0.5 us between processes. Where it was
// read in both, 46 pairs of the same code on an H100 differ by 0.3 us (0.8
// otherwise), and the means of runs by no more than that explains.
constexpr OnceNoise kOnceUnknown{0.5, 0.4, 1, 9};
constexpr OnceNoise kOnceKnown{0.3, 0.2, 0.3, 5};

// Whether it was read.
bool KnowsOnce(const std::vector<const Trial*>& trials) {
  return std::ranges::all_of(trials, [](const Trial* trial) {
    return trial->reference_once_us > 0 && trial->candidate_once_us > 0;
  });
}

// What decides how much is added to a call in a chain.
struct AloneOfSides {
  Alone reference;
  Alone candidate;
  double chance = 0;
  double error = 0;  // standard error of the candidate's excess
};

AloneOfSides AloneOf(const Sides& sides, const OnceNoise& noise,
                     const Ruler& ruler) {
  return {AloneOf(sides.reference, ruler), AloneOf(sides.candidate, ruler),
          sides.chance, std::hypot(sides.chance / kCertain, noise.run)};
}

// Chance is the same in both, or references would differ from themselves: where
// both may well take the same, they do.
//
// On cpu nothing is added to the reference's, and what it takes alone is no
// part of the candidate's either: a process that was stopped finds its
// interpreter out of the caches, and the first call of a chain then takes 400
// us where PyTorch takes 6. A native candidate has no interpreter, and would
// be 1.7 or 129 times as fast, as chance decides.
void Add(const AloneOfSides& alone, const Ruler& ruler, Sides* sides) {
  const double reference = alone.reference.added();
  const double candidate =
      alone.candidate.excess -
      std::min(0.0, StartOfExcess(alone.reference.excess)) -
      alone.candidate.allowance;
  const bool cpu = IsOfCpu(ruler);
  const double off = cpu ? std::max(0.0, alone.reference.excess) : 0;
  sides->reference.added = cpu ? 0 : reference;
  const auto added = [&](double showed) {
    return std::max(0.0, std::clamp(reference, showed - alone.chance,
                                    showed + alone.chance) -
                             off);
  };
  sides->candidate.added = added(candidate);
  const double change = std::numbers::sqrt2 * alone.error;
  sides->doubt = std::max(added(candidate + change) - sides->candidate.added,
                          sides->candidate.added - added(candidate - change));
}

double GeometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

std::vector<std::vector<const Trial*>> RoundByRound(
    const std::vector<const Trial*>& trials) {
  std::vector<std::vector<const Trial*>> rounds;
  rounds.reserve(trials.size());
  for (const Trial* trial : trials) rounds.push_back({trial});
  return rounds;
}

// Of one round where launches show: how far apart both sides' excesses may be
// that are the same. References' against themselves differ by 30 us.
double ChanceOfRounds(const std::vector<AloneOfSides>& rounds) {
  constexpr double kUsualMicros = 30;
  std::vector<double> apart;
  apart.reserve(rounds.size());
  for (const AloneOfSides& round : rounds)
    apart.push_back(round.candidate.excess - round.reference.excess);
  return kCertain * std::sqrt(PooledVariance(stats::Summarize(apart),
                                             Squared(kUsualMicros)));
}

}  // namespace

bool IsOfCpu(const Ruler& ruler) {
  return ruler.alone_share >= AllowanceAlone(false, true).share;
}

double ErrorOfLeast(const std::vector<double>& values) {
  return stats::Quantile(values, 0.25) - Least(values);
}

std::vector<double> Column(const std::vector<const Trial*>& trials,
                           double Trial::* member) {
  std::vector<double> values;
  values.reserve(trials.size());
  for (const Trial* trial : trials) values.push_back(trial->*member);
  return values;
}

const OnceNoise& OnceNoiseOf(const std::vector<const Trial*>& trials) {
  return KnowsOnce(trials) ? kOnceKnown : kOnceUnknown;
}

std::vector<const Trial*> Counted(const std::vector<Trial>& trials) {
  std::vector<const Trial*> counted;
  for (const Trial& trial : trials)
    if (trial.timed && trial.counts) counted.push_back(&trial);
  return counted;
}

std::vector<std::vector<const Trial*>> ByProcess(
    const std::vector<const Trial*>& trials) {
  std::map<int64_t, std::vector<const Trial*>> groups;
  for (const Trial* trial : trials) groups[trial->process].push_back(trial);
  std::vector<std::vector<const Trial*>> processes;
  for (auto& [process, group] : groups) processes.push_back(std::move(group));
  return processes;
}

Sides SidesOf(const std::vector<const Trial*>& trials, const Ruler& ruler) {
  Sides sides;
  if (trials.empty()) return sides;
  sides.reference.one = Column(trials, &Trial::reference_one_us);
  sides.reference.chain = Column(trials, &Trial::reference_chain_us);
  sides.candidate.one = Column(trials, &Trial::candidate_one_us);
  sides.candidate.chain = Column(trials, &Trial::candidate_chain_us);
  const std::vector<double> constants = Column(trials, &Trial::constant_us);
  sides.reference.constant = ConstantOf(constants, ruler);
  // Only our own process is asked while it is timed, because the candidate's
  // could make it look longer.
  sides.candidate.constant = sides.reference.constant + OnceApart(trials);
  // The same on both sides, or it would be a difference between them, and from
  // our own processes alone: a candidate could spread its readings.
  const OnceNoise& noise = OnceNoiseOf(trials);
  sides.chance = kCertain * std::hypot(ErrorOfLeast(sides.reference.one),
                                       ErrorOfLeast(constants), noise.process);
  Add(AloneOf(sides, noise, ruler), ruler, &sides);
  return sides;
}

std::vector<Sides> SidesByProcess(const std::vector<const Trial*>& trials,
                                  const Ruler& ruler) {
  std::vector<Sides> processes;
  std::vector<AloneOfSides> all;
  const OnceNoise& noise = OnceNoiseOf(trials);
  const auto groups = ruler.gated ? ByProcess(trials) : RoundByRound(trials);
  for (const auto& process : groups) {
    processes.push_back(SidesOf(process, ruler));
    all.push_back(AloneOf(processes.back(), noise, ruler));
  }
  if (processes.size() < 2 || ruler.calls <= 1) return processes;
  const auto middle = [&all](const auto& of) {
    std::vector<double> values;
    for (const AloneOfSides& alone : all) values.push_back(of(alone));
    return stats::Median(values);
  };
  const auto middle_of = [&](Alone AloneOfSides::* side) {
    return Alone{middle([&](const auto& a) { return (a.*side).excess; }),
                 middle([&](const auto& a) { return (a.*side).allowance; })};
  };
  std::vector<double> excesses;
  for (const AloneOfSides& alone : all)
    excesses.push_back(alone.candidate.excess);
  const double root = std::sqrt(static_cast<double>(all.size()));
  const double spread = std::sqrt(
      PooledVariance(stats::Summarize(excesses), Squared(noise.process)));
  const double chance = ruler.gated
                            ? middle([](const auto& a) { return a.chance; })
                            : ChanceOfRounds(all);
  const AloneOfSides together{
      middle_of(&AloneOfSides::reference), middle_of(&AloneOfSides::candidate),
      chance / root, std::hypot(spread / root, noise.run)};
  for (Sides& sides : processes) Add(together, ruler, &sides);
  return processes;
}

bool MayDoCallsTogether(const std::vector<Sides>& processes,
                        const Ruler& ruler) {
  constexpr double kMicros = 0.5;
  constexpr double kShareOfCall = 0.01;
  if (ruler.calls <= 1) return false;
  std::vector<double> reference, candidate, micros;
  for (const Sides& sides : processes) {
    reference.push_back(AloneOf(sides.reference, ruler).excess);
    candidate.push_back(AloneOf(sides.candidate, ruler).excess);
    micros.push_back(CallMicros(sides.candidate, ruler));
  }
  return stats::Median(candidate) >
         StartOfExcess(stats::Median(reference)) +
             std::max(kMicros, kShareOfCall * stats::Median(micros));
}

double MicrosOf(const std::vector<Sides>& processes, Readings Sides::* side,
                const Ruler& ruler) {
  std::vector<double> references, ratios;
  for (const Sides& sides : processes) {
    references.push_back(CallMicros(sides.reference, ruler));
    ratios.push_back(references.back() / CallMicros(sides.candidate, ruler));
  }
  const auto middle = [&ruler](const std::vector<double>& values) {
    return ruler.gated ? GeometricMean(values) : stats::Median(values);
  };
  const double reference = middle(references);
  return side == &Sides::reference ? reference : reference / middle(ratios);
}

double OnceApart(const std::vector<const Trial*>& trials) {
  constexpr double kMostMicros = 3;
  if (trials.empty() || !KnowsOnce(trials)) return 0;
  const double apart =
      stats::Median(Column(trials, &Trial::candidate_once_us)) -
      stats::Median(Column(trials, &Trial::reference_once_us));
  return std::clamp(apart, -kMostMicros, kMostMicros);
}

double RoundMicros(double one, double chain, double constant,
                   const Ruler& ruler) {
  const double alone = one - constant;
  if (ruler.calls <= 1) return std::max(kLeastMicros, alone);
  const double slope = Slope(one, chain, ruler);
  if (IsOfCpu(ruler)) return std::max(kLeastMicros, slope);
  return std::max({kLeastMicros, slope, alone - AllowanceOf(slope, ruler)});
}

// A busy host's pauses fall into readings of no call too. The median of those
// would be longer than many a call, and leave it with no time at all.
double ConstantOf(const std::vector<double>& readings, const Ruler& ruler) {
  return ruler.calls > 1 ? Least(readings)
                         : NearTheLeast(readings, MostLateMicros(ruler));
}

double CallMicros(const Readings& readings, const Ruler& ruler) {
  KB_CHECK(!readings.one.empty());
  const double micros = ruler.calls <= 1
                            ? OneOf(readings, ruler) - readings.constant
                            : SlopeOf(readings, ruler) + readings.added;
  return std::max(kLeastMicros, micros);
}

double AddedAlone(const Readings& readings, const Ruler& ruler) {
  return IsOfCpu(ruler) ? 0 : AloneOf(readings, ruler).added();
}

Sides SidesOf(const std::vector<Trial>& trials, const Ruler& ruler) {
  return SidesOf(Counted(trials), ruler);
}

}  // namespace kb::timing
