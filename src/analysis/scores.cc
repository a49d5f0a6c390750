#include "analysis/scores.h"

#include <set>

#include "base/words.h"
#include "part.h"

namespace kb::analysis {
namespace {

constexpr base::Words<Time, 2> kTimes{
    {{Time::kDevice, "device"}, {Time::kWall, "wall"}}};

constexpr base::Words<By, 6> kBys{{{By::kRun, "run"},
                                   {By::kModel, "model"},
                                   {By::kLevel, "level"},
                                   {By::kPrecision, "precision"},
                                   {By::kTag, "tag"},
                                   {By::kProblem, "problem"}}};

constexpr base::Words<Missing, 3> kMissing{
    {{Missing::kNoAnswer, "no_answer"},
     {Missing::kNotAsked, "not_asked"},
     {Missing::kNotJudged, "not_judged"}}};

std::vector<std::string> GroupsOf(const Entry& entry, By by) {
  switch (by) {
    case By::kRun:
      return {""};
    case By::kModel:
      return {entry.outcome.model};
    case By::kLevel:
      return {LevelOf(entry.outcome.problem_id)};
    case By::kPrecision:
      return {record::PrecisionName(entry.outcome.precision)};
    case By::kTag:
      return entry.tags;
    case By::kProblem:
      return {entry.outcome.problem_id};
  }
  return {};
}

void AddGaps(const Entry& entry, Gaps* gaps) {
  ++gaps->asked;
  gaps->over_budget = gaps->over_budget || entry.over_budget;
  if (entry.missing == Missing::kNotAsked)
    ++gaps->not_asked;
  else if (entry.missing == Missing::kNoAnswer)
    ++gaps->no_answer;
  else if (entry.missing == Missing::kNotJudged)
    ++gaps->not_judged;
  else if (entry.outcome.verdict == record::Verdict::kInfraError)
    ++gaps->infra_errors;
  else if (!entry.outcome.verdict && !entry.outcome.unusable)
    ++gaps->not_run;
}

std::vector<Pairing> PairingsOf(const std::map<std::string, Part>& runs,
                                const ScoreOptions& options) {
  std::vector<std::pair<std::string, std::vector<Attempts>>> lists;
  for (const auto& [run, part] : runs) lists.emplace_back(run, part.Problems());
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

const char* MissingName(Missing missing) { return kMissing.Of(missing); }

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
    if (entry.flagged && !options.with_flagged) {
      ++scores.flagged;
      continue;
    }
    AddGaps(entry, &scores.gaps[entry.run]);
    runs[entry.run].Add(entry, options.time);
    for (const std::string& group : GroupsOf(entry, options.by))
      parts[{entry.run, group}].Add(entry, options.time);
  }
  scores.flagged_problems = std::ssize(flagged);
  for (const auto& [key, part] : parts)
    scores.rows.push_back(part.ToRow(key.first, key.second, options));
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
