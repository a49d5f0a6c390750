#include "analysis/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>

#include "base/check.h"
#include "stats/share.h"

namespace kb::analysis {
namespace {

using OfProblem = std::function<double(const Attempts&)>;

std::vector<double> ValuesOf(const std::vector<Attempts>& problems,
                             const OfProblem& value) {
  std::vector<double> values;
  values.reserve(problems.size());
  for (const Attempts& attempts : problems) values.push_back(value(attempts));
  return values;
}

// The mean over problems of a share of each one's samples.
stats::Interval MeanShareOf(const std::vector<Attempts>& problems,
                            const OfProblem& share) {
  double samples = 0;
  for (const Attempts& attempts : problems)
    samples += static_cast<double>(attempts.samples.size());
  return stats::MeanShare(ValuesOf(problems, share), samples);
}

double Share(const Attempts& attempts, int64_t samples) {
  return static_cast<double>(samples) /
         static_cast<double>(attempts.samples.size());
}

using Fast = bool (*)(const Sample& sample, double p);

int64_t Count(const Attempts& attempts, double p, Fast is_fast) {
  return std::ranges::count_if(attempts.samples, [&](const Sample& sample) {
    return is_fast(sample, p);
  });
}

std::vector<Attempts> WithAtLeast(int64_t k,
                                  const std::vector<Attempts>& problems) {
  std::vector<Attempts> enough;
  std::ranges::copy_if(problems, std::back_inserter(enough),
                       [k](const Attempts& attempts) {
                         return std::ssize(attempts.samples) >= k;
                       });
  return enough;
}

double MeanPassAtK(const Attempts& attempts, double p, int64_t k,
                   Fast is_fast) {
  return PassAtK(std::ssize(attempts.samples), Count(attempts, p, is_fast), k);
}

stats::Interval Exp(const stats::Interval& logs) {
  return {std::exp(logs.estimate), std::exp(logs.low), std::exp(logs.high)};
}

// Of the best of k of these, drawn without replacement, the mean.
double MeanOfBest(std::vector<double> values, int64_t k) {
  std::ranges::sort(values);
  double mean = 0, none_larger = 0;
  for (int64_t n = 1; n <= std::ssize(values); ++n) {
    // The chance that the best is among the n smallest: C(n, k) / C(size, k).
    double among = n < k ? 0 : 1;
    for (int64_t i = 0; i < k && among > 0; ++i)
      among *= static_cast<double>(n - i) /
               static_cast<double>(std::ssize(values) - i);
    mean += values[static_cast<size_t>(n - 1)] * (among - none_larger);
    none_larger = among;
  }
  return mean;
}

// None: correct, but its time or its baseline's is not known.
std::optional<double> SolScoreOf(const Sample& sample) {
  if (!sample.correct) return 0;
  if (!sample.roofline) return std::nullopt;
  if (*sample.roofline > kMostOfRoofline) return 0;
  if (!sample.device_speedup) return std::nullopt;
  // In units of the sample's own time.
  const double ceiling = std::min(*sample.roofline, 1.0);
  const double headroom = *sample.device_speedup - ceiling;
  if (headroom <= 0) return ceiling >= 1 ? 1 : 0;
  return headroom / (1 - ceiling + headroom);
}

// Of the answers that one asked for. None: there is no correct sample, or not
// all times are known.
std::optional<double> SecondsToCorrect(
    const std::vector<const Sample*>& samples) {
  std::optional<int64_t> first;
  for (const Sample* sample : samples)
    if (sample->correct)
      first = std::min(first.value_or(sample->index), sample->index);
  if (!first) return std::nullopt;
  std::map<int64_t, std::optional<double>> times;  // one may be judged twice
  for (const Sample* sample : samples)
    if (sample->index <= *first) times[sample->index] = sample->seconds;
  double seconds = 0;
  for (const auto& [index, time] : times) {
    if (!time) return std::nullopt;
    seconds += *time;
  }
  return seconds;
}

std::optional<double> SecondsToCorrect(const Attempts& attempts) {
  std::map<std::string, std::vector<const Sample*>> asked;
  for (const Sample& sample : attempts.samples)
    asked[sample.asked_by].push_back(&sample);
  double sum = 0, count = 0;
  for (const auto& [by, samples] : asked) {
    const std::optional<double> seconds = SecondsToCorrect(samples);
    if (!seconds) continue;
    sum += *seconds;
    count += 1;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

bool IsFast(const Sample& sample, double p) {
  if (p == 0) return sample.correct;
  return sample.correct && sample.speedup && *sample.speedup > p;
}

bool MayBeFast(const Sample& sample, double p) {
  return IsFast(sample, p) || sample.open || (p > 0 && sample.speed_open);
}

double ShareFast(const Attempts& attempts, double p) {
  return Share(attempts, Count(attempts, p, IsFast));
}

double PassAtK(int64_t n, int64_t c, int64_t k) {
  KB_CHECK(c >= 0 && c <= n && k >= 1 && k <= n);
  // C(n - c, k) / C(n, k) as a product, which neither overflows nor cancels.
  double none_good = 1;
  for (int64_t i = 0; i < k; ++i)
    none_good *= static_cast<double>(std::max<int64_t>(0, n - c - i)) /
                 static_cast<double>(n - i);
  return 1 - none_good;
}

stats::Interval FastP(const std::vector<Attempts>& problems, double p) {
  return MeanShareOf(problems, [p](const Attempts& attempts) {
    return ShareFast(attempts, p);
  });
}

double FastPUpper(const std::vector<Attempts>& problems, double p) {
  double sum = 0;
  for (const Attempts& attempts : problems)
    sum += Share(attempts, Count(attempts, p, MayBeFast));
  return sum / static_cast<double>(problems.size());
}

Partial FastPAtK(const std::vector<Attempts>& problems, double p, int64_t k) {
  const std::vector<Attempts> enough = WithAtLeast(k, problems);
  if (enough.empty()) return {};
  return {std::ssize(enough),
          MeanShareOf(enough, [p, k](const Attempts& attempts) {
            return MeanPassAtK(attempts, p, k, IsFast);
          })};
}

double FastPAtKUpper(const std::vector<Attempts>& problems, double p,
                     int64_t k) {
  const std::vector<Attempts> enough = WithAtLeast(k, problems);
  double sum = 0;
  for (const Attempts& attempts : enough)
    sum += MeanPassAtK(attempts, p, k, MayBeFast);
  return enough.empty() ? 0 : sum / static_cast<double>(enough.size());
}

Partial BestSpeedupAtK(const std::vector<Attempts>& problems, int64_t k,
                       uint64_t seed) {
  const std::vector<Attempts> enough = WithAtLeast(k, problems);
  if (enough.empty()) return {};
  const auto best = [k](const Attempts& attempts) {
    std::vector<double> logs;
    for (const Sample& sample : attempts.samples)
      logs.push_back(IsFast(sample, 1) ? std::log(*sample.speedup) : 0);
    return MeanOfBest(std::move(logs), k);
  };
  return {std::ssize(enough), Exp(stats::Mean(ValuesOf(enough, best), seed))};
}

stats::Interval CompileRate(const std::vector<Attempts>& problems) {
  return MeanShareOf(problems, [](const Attempts& attempts) {
    return Share(attempts,
                 std::ranges::count_if(attempts.samples, &Sample::compiled));
  });
}

Partial GeometricMeanSpeedup(const std::vector<Attempts>& problems,
                             uint64_t seed,
                             std::optional<double> Sample::* speedup,
                             Over over) {
  // Of each problem with such samples: how many, and the sum of logarithms.
  std::vector<stats::Weighted> logs;
  for (const Attempts& attempts : problems) {
    stats::Weighted sum;
    for (const Sample& sample : attempts.samples) {
      if (!sample.correct || !(sample.*speedup)) continue;
      if (over == Over::kFaster && !(*(sample.*speedup) > 1)) continue;
      sum.sum += std::log(*(sample.*speedup));
      sum.weight += 1;
    }
    if (sum.weight > 0) logs.push_back(sum);
  }
  if (logs.empty()) return {};
  return {std::ssize(logs), Exp(stats::WeightedMean(logs, seed))};
}

stats::Interval GeometricMeanOfAll(const std::vector<Attempts>& problems,
                                   uint64_t seed) {
  const auto mean = [](const Attempts& attempts) {
    double logs = 0;
    for (const Sample& sample : attempts.samples)
      if (sample.correct && sample.speedup) logs += std::log(*sample.speedup);
    return logs / static_cast<double>(attempts.samples.size());
  };
  return Exp(stats::Mean(ValuesOf(problems, mean), seed));
}

Partial SolScore(const std::vector<Attempts>& problems, uint64_t seed) {
  std::vector<double> scores;
  bool is_correct = false, is_scored = false;  // some are
  for (const Attempts& attempts : problems) {
    if (!attempts.has_ceiling) continue;
    double sum = 0, count = 0;
    for (const Sample& sample : attempts.samples) {
      const std::optional<double> score = SolScoreOf(sample);
      is_correct = is_correct || sample.correct;
      is_scored = is_scored || (sample.correct && score);
      sum += score.value_or(0);
      count += score ? 1 : 0;
    }
    if (count > 0) scores.push_back(sum / count);
  }
  if (scores.empty() || (is_correct && !is_scored)) return {};
  return {std::ssize(scores), stats::Mean(scores, seed)};
}

Partial SecondsToCorrect(const std::vector<Attempts>& problems, uint64_t seed) {
  std::vector<double> seconds;
  for (const Attempts& attempts : problems)
    if (const auto found = SecondsToCorrect(attempts))
      seconds.push_back(*found);
  if (seconds.empty()) return {};
  return {std::ssize(seconds), stats::Mean(seconds, seed)};
}

}  // namespace kb::analysis
