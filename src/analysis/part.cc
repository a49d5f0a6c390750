#include "part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace kb::analysis {
namespace {

using record::Verdict;

std::string KeyOf(const record::Outcome& outcome) {
  return outcome.problem_id + " " + record::SizeName(outcome.size) + " " +
         record::PrecisionName(outcome.precision);
}

// What a store of somebody else's says may be no number at all.
std::optional<double> Believable(std::optional<double> speedup) {
  if (speedup && std::isfinite(*speedup) && *speedup > 0) return speedup;
  return std::nullopt;
}

// The problems of a level that KernelBench's paper scores; 0: it has none.
size_t ProblemsInPaper(const std::string& level) {
  if (level == "level1" || level == "level2") return 100;
  return level == "level3" ? 50 : 0;
}

std::vector<std::string> SettingsUnlikePaper(const Entry& entry) {
  const record::Outcome& outcome = entry.outcome;
  std::vector<std::string> settings;
  if (outcome.size != record::Size::kFull)
    settings.push_back("size " + record::SizeName(outcome.size));
  if (outcome.precision != record::Precision::kFp32 &&
      outcome.precision != record::Precision::kAsGiven)
    settings.emplace_back(record::PrecisionName(outcome.precision));
  if (outcome.policy.empty()) {
    // What was never judged needs none.
    if (!entry.missing && !outcome.unusable)
      settings.emplace_back("policy unknown");
  } else if (outcome.policy != "kernelbench" && outcome.policy != "original") {
    settings.push_back("policy " + outcome.policy);
  }
  return settings;
}

bool IsOpen(const Entry& entry) {
  return entry.missing == Missing::kNotAsked ||
         entry.missing == Missing::kNotJudged ||
         entry.outcome.verdict == Verdict::kInfraError;
}

// A model in a run, whose samples of a problem are numbered.
std::string AskedBy(const Entry& entry) {
  return entry.asked_in + "\n" + entry.outcome.model;
}

// What nobody built cannot have compiled; what has no verdict for want of a
// device was built. What cannot be loaded counts as in the original, for which
// importing a file compiles it.
bool HasCompiled(const Entry& entry) {
  const record::Outcome& outcome = entry.outcome;
  if (entry.missing || outcome.unusable) return false;
  return outcome.verdict != Verdict::kCompileError &&
         outcome.verdict != Verdict::kLoadError &&
         outcome.verdict != Verdict::kInfraError;
}

Sample SampleOf(const Entry& entry, Time time) {
  const record::Outcome& outcome = entry.outcome;
  Sample sample;
  sample.index = outcome.sample;
  sample.asked_by = AskedBy(entry);
  sample.seconds =
      entry.seconds_to_correct ? entry.seconds_to_correct : entry.seconds;
  sample.open = IsOpen(entry);
  sample.compiled = HasCompiled(entry);
  sample.correct = outcome.verdict == Verdict::kCorrect;
  if (!sample.correct) return sample;
  sample.own_share = outcome.own_share;
  sample.device_speedup = Believable(outcome.speedup);
  sample.wall_speedup = Believable(outcome.wall_speedup);
  sample.speedup =
      time == Time::kWall ? sample.wall_speedup : sample.device_speedup;
  sample.speed_open = entry.without_baseline && time == Time::kDevice;
  sample.roofline = entry.roofline;
  return sample;
}

BestOfK BestOf(int64_t k, const std::vector<Attempts>& problems,
               const ScoreOptions& options) {
  BestOfK best;
  best.k = k;
  const Partial pass = FastPAtK(problems, 0, k);
  best.problems = pass.problems;
  best.pass = pass.value;
  best.pass_upper = FastPAtKUpper(problems, 0, k);
  for (const double p : options.ps) {
    best.fast.push_back(FastPAtK(problems, p, k).value);
    best.fast_upper.push_back(FastPAtKUpper(problems, p, k));
  }
  best.speedup = BestSpeedupAtK(problems, k, options.seed).value;
  return best;
}

void AddSpeedups(const std::vector<Attempts>& problems, uint64_t seed,
                 Row* row) {
  const auto count = [&](std::optional<double> Sample::* speedup,
                         int64_t* samples, int64_t* of_problems) {
    for (const Attempts& attempts : problems) {
      const int64_t with = std::ranges::count_if(
          attempts.samples,
          [&](const Sample& sample) { return (sample.*speedup).has_value(); });
      *samples += with;
      *of_problems += with > 0 ? 1 : 0;
    }
  };
  count(&Sample::device_speedup, &row->with_speedup,
        &row->problems_with_speedup);
  count(&Sample::wall_speedup, &row->with_wall_speedup,
        &row->problems_with_wall_speedup);
  row->speedup =
      GeometricMeanSpeedup(problems, seed, &Sample::device_speedup).value;
  row->wall_speedup =
      GeometricMeanSpeedup(problems, seed, &Sample::wall_speedup).value;
  row->speedup_of_faster =
      GeometricMeanSpeedup(problems, seed, &Sample::speedup, Over::kFaster);
  row->speedup_of_all = GeometricMeanOfAll(problems, seed);
}

void AddTo(double value, stats::Weighted* sum) {
  sum->sum += value;
  sum->weight += 1;
}

// Over samples.
Partial MeanOf(const std::map<std::string, stats::Weighted>& problems,
               uint64_t seed) {
  std::vector<stats::Weighted> sums;
  for (const auto& [key, sum] : problems) sums.push_back(sum);
  Partial mean;
  mean.problems = std::ssize(sums);
  if (!sums.empty()) mean.value = stats::WeightedMean(sums, seed);
  return mean;
}

}  // namespace

void Part::Add(const Entry& entry, Time time) {
  const record::Outcome& outcome = entry.outcome;
  const std::string key = KeyOf(outcome);
  const Sample sample = SampleOf(entry, time);
  Attempts& attempts = problems_[key];
  attempts.problem = key;
  levels_[LevelOf(outcome.problem_id)].insert(outcome.problem_id);
  for (std::string& setting : SettingsUnlikePaper(entry))
    settings_.insert(std::move(setting));
  attempts.samples.push_back(sample);
  attempts.has_ceiling = attempts.has_ceiling || entry.has_ceiling;
  Count(entry, sample);
  if (sample.roofline && *sample.roofline <= kMostOfRoofline) {
    counts_.by_data_sheet += entry.by_data_sheet ? 1 : 0;
    AddTo(*sample.roofline, &roofline_[key]);
  }
  if (sample.own_share) AddTo(*sample.own_share, &own_[key]);
  // What nobody answered cost nothing.
  if (outcome.usd)
    prices_[{AskedBy(entry), outcome.problem_id, outcome.sample}] =
        *outcome.usd;
  else if (!entry.missing || entry.missing == Missing::kNotJudged)
    priced_ = false;
}

void Part::Count(const Entry& entry, const Sample& sample) {
  ++counts_.samples;
  correct_ += sample.correct ? 1 : 0;
  fast_ += IsFast(sample, 1) ? 1 : 0;
  counts_.open += sample.open ? 1 : 0;
  counts_.speed_open += sample.speed_open ? 1 : 0;
  if (sample.roofline && *sample.roofline > kMostOfRoofline)
    ++counts_.above_roofline;
  if (entry.missing)
    ++counts_.missing[*entry.missing];
  else if (entry.outcome.unusable)
    ++counts_.unusable[*entry.outcome.unusable];
  else if (entry.outcome.verdict)
    ++counts_.verdicts[*entry.outcome.verdict];
  else
    ++counts_.not_run;
}

void Part::Price(Row* row) const {
  if (!priced_) return;
  row->usd = 0;
  for (const auto& [key, usd] : prices_) *row->usd += usd;
  if (correct_ > 0)
    row->usd_per_correct = *row->usd / static_cast<double>(correct_);
  if (fast_ > 0) row->usd_per_fast = *row->usd / static_cast<double>(fast_);
}

std::vector<Attempts> Part::Problems() const {
  std::vector<Attempts> list;
  for (const auto& [key, attempts] : problems_) list.push_back(attempts);
  return list;
}

std::vector<std::string> Part::UnlikePaper() const {
  std::vector<std::string> all(settings_.begin(), settings_.end());
  for (const auto& [level, problems] : levels_) {
    const size_t paper = ProblemsInPaper(level);
    if (paper == 0)
      all.push_back(level.empty() ? "other problems" : level);
    else if (problems.size() != paper)
      all.push_back(
          fmt::format("{} of {} of {}", problems.size(), paper, level));
  }
  return all;
}

Row Part::ToRow(const std::string& run, const std::string& group,
                const ScoreOptions& options) const {
  const std::vector<Attempts> problems = Problems();
  Row row = counts_;
  row.run = run;
  row.group = group;
  row.problems = std::ssize(problems);
  row.unlike_paper = UnlikePaper();
  row.compiled = CompileRate(problems);
  for (const double p : options.ps) {
    row.fast.push_back(FastP(problems, p));
    row.fast_upper.push_back(FastPUpper(problems, p));
  }
  for (const int64_t k : options.ks)
    row.of_k.push_back(BestOf(k, problems, options));
  AddSpeedups(problems, options.seed, &row);
  row.roofline = MeanOf(roofline_, options.seed);
  row.own_share = MeanOf(own_, options.seed);
  row.sol_score = SolScore(problems, options.seed);
  row.seconds_to_correct = SecondsToCorrect(problems, options.seed);
  Price(&row);
  return row;
}

}  // namespace kb::analysis
