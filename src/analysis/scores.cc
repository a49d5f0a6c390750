#include "analysis/scores.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/words.h"

namespace kb::analysis {
namespace {

constexpr base::Words<Time, 2> kTimes{
    {{Time::kDevice, "device"}, {Time::kWall, "wall"}}};

constexpr base::Words<By, 5> kBys{{{By::kRun, "run"},
                                   {By::kModel, "model"},
                                   {By::kLevel, "level"},
                                   {By::kTag, "tag"},
                                   {By::kProblem, "problem"}}};

using record::Verdict;

std::vector<std::string> GroupsOf(const Entry& entry, By by) {
  switch (by) {
    case By::kRun:
      return {""};
    case By::kModel:
      return {entry.outcome.model};
    case By::kLevel:
      return {LevelOf(entry.outcome.problem_id)};
    case By::kTag:
      return entry.tags;
    case By::kProblem:
      return {entry.outcome.problem_id};
  }
  return {};
}

// A problem at another size or precision is another one.
std::string KeyOf(const record::Outcome& outcome) {
  return outcome.problem_id + " " + record::SizeName(outcome.size) + " " +
         record::PrecisionName(outcome.precision);
}

// What a store of somebody else's says may be no number at all.
std::optional<double> Believable(std::optional<double> speedup) {
  if (speedup && std::isfinite(*speedup) && *speedup > 0) return speedup;
  return std::nullopt;
}

Sample SampleOf(const record::Outcome& outcome, Time time) {
  Sample sample;
  sample.compiled =
      !outcome.unusable && outcome.verdict != Verdict::kCompileError;
  sample.correct = outcome.verdict == Verdict::kCorrect;
  if (!sample.correct) return sample;
  sample.device_speedup = Believable(outcome.speedup);
  sample.wall_speedup = Believable(outcome.wall_speedup);
  sample.speedup =
      time == Time::kWall ? sample.wall_speedup : sample.device_speedup;
  return sample;
}

// The samples of one row.
struct Part {
  std::map<std::string, Attempts> problems;  // by KeyOf
  std::map<Verdict, int64_t> verdicts;

  std::map<record::GenerationStatus, int64_t> unusable;
  std::map<std::string, stats::Weighted> roofline;  // by KeyOf
  // Answers by model, problem and sample: one may be judged several times.
  std::map<std::tuple<std::string, std::string, int64_t>, double> prices;
  int64_t above_roofline = 0;
  int64_t by_data_sheet = 0;
  bool priced = true;  // all of them
  int64_t correct = 0;

  void Add(const Entry& entry, Time time) {
    const record::Outcome& outcome = entry.outcome;
    const std::string key = KeyOf(outcome);
    Attempts& attempts = problems[key];
    attempts.problem = key;
    attempts.samples.push_back(SampleOf(outcome, time));
    correct += attempts.samples.back().correct ? 1 : 0;
    if (outcome.unusable)
      ++unusable[*outcome.unusable];
    else
      ++verdicts[*outcome.verdict];
    // Clocks and ceilings are off by a few per cent.
    constexpr double kAbove = 1.05;
    if (!entry.roofline || !attempts.samples.back().device_speedup) {
      // nothing to compare
    } else if (*entry.roofline > kAbove) {
      ++above_roofline;
    } else {
      by_data_sheet += entry.by_data_sheet ? 1 : 0;
      stats::Weighted& sum = roofline[key];
      sum.sum += *entry.roofline;
      sum.weight += 1;
    }
    if (outcome.usd)
      prices[{outcome.model, outcome.problem_id, outcome.sample}] =
          *outcome.usd;
    else
      priced = false;
  }
  void Price(Row* row) const {
    if (!priced) return;
    row->usd = 0;
    for (const auto& [key, usd] : prices) *row->usd += usd;
    if (correct > 0)
      row->usd_per_correct = *row->usd / static_cast<double>(correct);
  }
  std::optional<stats::Interval> Roofline(uint64_t seed) const {
    std::vector<stats::Weighted> sums;
    for (const auto& [key, sum] : roofline) sums.push_back(sum);
    if (sums.empty()) return std::nullopt;
    return stats::WeightedMean(sums, seed);
  }
  std::vector<Attempts> List() const {
    std::vector<Attempts> list;
    for (const auto& [key, attempts] : problems) list.push_back(attempts);
    return list;
  }
};

Row RowOf(const std::string& run, const std::string& group, const Part& part,
          const ScoreOptions& options) {
  const std::vector<Attempts> problems = part.List();
  Row row;
  row.run = run;
  row.group = group;
  row.problems = std::ssize(problems);
  row.verdicts = part.verdicts;
  row.unusable = part.unusable;
  row.roofline = part.Roofline(options.seed);
  row.above_roofline = part.above_roofline;
  row.by_data_sheet = part.by_data_sheet;
  part.Price(&row);
  for (const Attempts& attempts : problems) {
    row.samples += std::ssize(attempts.samples);
    const int64_t with_speedup = std::ranges::count_if(
        attempts.samples,
        [](const Sample& sample) { return sample.speedup.has_value(); });
    row.with_speedup += with_speedup;
    row.problems_with_speedup += with_speedup > 0 ? 1 : 0;
  }
  row.compiled = CompileRate(problems, options.seed);
  for (const double p : options.ps)
    row.fast.push_back(FastP(problems, p, options.seed));
  for (const int64_t k : options.ks) {
    row.pass.push_back(FastPAtK(problems, 0, k, options.seed));
    row.best.push_back(FastPAtK(problems, options.best_of_p, k, options.seed));
  }
  row.speedup =
      GeometricMeanSpeedup(problems, options.seed, &Sample::device_speedup);
  row.wall_speedup =
      GeometricMeanSpeedup(problems, options.seed, &Sample::wall_speedup);
  return row;
}

// Leaves out, and counts, what no score counts.
bool Counts(const Entry& entry, const ScoreOptions& options, Scores* scores) {
  if (entry.flagged && !options.with_flagged) {
    ++scores->flagged;
    return false;
  }
  if (entry.outcome.unusable) return true;
  if (!entry.outcome.verdict) {
    ++scores->not_run;
    return false;
  }
  if (*entry.outcome.verdict == Verdict::kInfraError) {
    ++scores->infra_errors;
    return false;
  }
  return true;
}

std::vector<Pairing> PairingsOf(const std::map<std::string, Part>& runs,
                                const ScoreOptions& options) {
  std::vector<std::pair<std::string, std::vector<Attempts>>> lists;
  for (const auto& [run, part] : runs) lists.emplace_back(run, part.List());
  std::vector<Pairing> pairings;
  for (auto first = lists.begin(); first != lists.end(); ++first)
    for (auto second = std::next(first); second != lists.end(); ++second)
      for (const double p : options.ps)
        pairings.push_back(
            {first->first, second->first, p,
             Compare(first->second, second->second, p, options.seed)});
  return pairings;
}

}  // namespace

std::string LevelOf(const std::string& problem_id) {
  const size_t slash = problem_id.rfind('/');
  return slash == std::string::npos ? "" : problem_id.substr(0, slash);
}

const char* TimeName(Time time) { return kTimes.Of(time); }

std::optional<Time> ParseTime(const std::string& name) {
  return kTimes.Parse(name);
}

std::optional<By> ParseBy(const std::string& name) { return kBys.Parse(name); }

Scores Score(const std::vector<Entry>& entries, const ScoreOptions& options) {
  Scores scores;
  std::map<std::pair<std::string, std::string>, Part> parts;
  std::map<std::string, Part> runs;
  std::set<std::string> flagged;
  for (const Entry& entry : entries) {
    if (entry.flagged) flagged.insert(entry.outcome.problem_id);
    if (!Counts(entry, options, &scores)) continue;
    runs[entry.run].Add(entry, options.time);
    for (const std::string& group : GroupsOf(entry, options.by))
      parts[{entry.run, group}].Add(entry, options.time);
  }
  scores.flagged_problems = std::ssize(flagged);
  for (const auto& [key, part] : parts)
    scores.rows.push_back(RowOf(key.first, key.second, part, options));
  scores.pairings = PairingsOf(runs, options);
  return scores;
}

TwoScores ScoreTwice(const std::vector<Entry>& entries, ScoreOptions options) {
  TwoScores scores;
  options.with_flagged = true;
  scores.all = Score(entries, options);
  options.with_flagged = false;
  scores.sound = Score(entries, options);
  return scores;
}

std::map<std::string, std::set<std::string>> MixedRuns(
    const std::vector<Entry>& entries) {
  std::map<std::string, std::set<std::string>> models;
  for (const Entry& entry : entries)
    models[entry.run].insert(entry.outcome.model);
  std::erase_if(models, [](const auto& run) { return run.second.size() < 2; });
  return models;
}

}  // namespace kb::analysis
