#include "analysis/searches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/scores.h"
#include "analysis/turns.h"

namespace kb::analysis {
namespace {

using record::Decision;
using record::Generation;

// Model, problem, its hash, sample.
using PaidSample = std::tuple<std::string, std::string, std::string, int64_t>;

template <typename T>
PaidSample PaidSampleOf(const T& of) {
  return {of.model, of.problem_id, of.problem_hash, of.sample};
}

TurnRank RankOfTold(const record::Told& told) {
  return RankOf(told.verdict, told.speedup);
}

void SetBest(Search* search) {
  std::vector<TurnRank> ranks;
  std::vector<int64_t> turns;
  for (const SearchTurn& turn : search->turns) {
    if (!turn.told) continue;
    ranks.push_back(RankOfTold(*turn.told));
    turns.push_back(turn.ask.turn);
  }
  if (!ranks.empty()) search->best = turns[BestTurn(ranks)];
}

double CostOf(const SearchTurn& turn, SearchCost cost) {
  switch (cost) {
    case SearchCost::kAnswers:
      // What a search begins with is no answer.
      return turn.ask.kind == record::AskKind::kGiven ? 0 : 1;
    case SearchCost::kTokens:
      return static_cast<double>(turn.tokens);
    case SearchCost::kUsd:
      return turn.usd.value_or(0);
    case SearchCost::kMinutes: {
      constexpr double kMinute = 60;
      return turn.told ? turn.told->seconds / kMinute : 0;
    }
  }
  return 0;
}

// Powers of two: what the search had after it paid so much.
struct Step {
  double paid = 0;
  double best = 0;
};
std::vector<Step> StepsOf(const Search& search, SearchCost cost) {
  std::vector<Step> steps{{0, 0}};
  for (const SearchTurn& turn : search.turns) {
    if (!turn.told) continue;
    Step step = steps.back();
    step.paid += CostOf(turn, cost);
    if (turn.told->verdict == record::Verdict::kCorrect && turn.told->speedup &&
        *turn.told->speedup > 1)
      step.best = std::max(step.best, std::log2(*turn.told->speedup));
    steps.push_back(step);
  }
  return steps;
}

double BestAt(const std::vector<Step>& steps, double paid) {
  double best = 0;
  for (const Step& step : steps)
    if (step.paid <= paid * (1 + 1e-12)) best = step.best;
  return best;
}

// With what BestSoFar has around it.
stats::Interval MeanOf(const std::vector<double>& values) {
  constexpr uint64_t kSeed = 18;
  stats::Interval mean = stats::Mean(values, kSeed);
  if (std::ssize(values) >= kLeastProblems) return mean;
  const auto [low, high] = std::ranges::minmax(values);
  return {mean.estimate, low, high};
}

bool IsPriced(const std::vector<Search>& searches) {
  return std::ranges::all_of(searches, [](const Search& search) {
    return std::ranges::all_of(search.turns, [](const SearchTurn& turn) {
      return !turn.told || turn.usd;
    });
  });
}

// At most so many places where the curve is known.
std::vector<double> Places(double most, SearchCost cost) {
  constexpr double kMostPlaces = 60;
  const double count =
      cost == SearchCost::kAnswers ? std::min(most, kMostPlaces) : kMostPlaces;
  std::vector<double> places;
  for (int i = 0; i <= static_cast<int>(count); ++i)
    places.push_back(cost == SearchCost::kAnswers ? std::round(most * i / count)
                                                  : most * i / count);
  return places;
}

}  // namespace

std::vector<Search> SearchesOf(const std::vector<Decision>& decisions,
                               const std::vector<Generation>& answers) {
  std::map<std::pair<PaidSample, int64_t>, const Generation*> paid;
  for (const Generation& answer : answers)
    paid[{PaidSampleOf(answer), answer.turn}] = &answer;
  std::vector<Search> searches;
  std::map<PaidSample, size_t> places;
  for (const Decision& line : decisions) {
    const PaidSample key = PaidSampleOf(line);
    const auto [place, is_new] = places.emplace(key, searches.size());
    if (is_new)
      searches.push_back({line.problem_id,
                          line.sample,
                          {},
                          {},
                          line.problem_hash,
                          line.model});
    Search& search = searches[place->second];
    if (line.ask) {
      SearchTurn& turn = search.turns.emplace_back();
      turn.ask = *line.ask;
      const auto found = paid.find({key, line.ask->turn});
      if (found == paid.end()) continue;
      turn.tokens = found->second->usage.input + found->second->usage.output;
      turn.usd = found->second->usd;
      continue;
    }
    for (SearchTurn& turn : search.turns)
      if (line.told && turn.ask.turn == line.told->turn) turn.told = line.told;
  }
  for (Search& search : searches) SetBest(&search);
  return searches;
}

std::vector<int64_t> Improvements(const Search& search) {
  std::vector<int64_t> turns;
  std::optional<TurnRank> best;
  for (const SearchTurn& turn : search.turns) {
    if (!turn.told || !turn.told->verdict) continue;
    const TurnRank rank = RankOfTold(*turn.told);
    if (best && rank <= *best) continue;
    best = rank;
    turns.push_back(turn.ask.turn);
  }
  return turns;
}

std::optional<BestSoFar> BestSoFarOf(const std::vector<Search>& searches,
                                     SearchCost cost) {
  if (searches.empty() || (cost == SearchCost::kUsd && !IsPriced(searches)))
    return std::nullopt;
  std::vector<std::vector<Step>> steps;
  double most = 0;
  for (const Search& search : searches) {
    steps.push_back(StepsOf(search, cost));
    most = std::max(most, steps.back().back().paid);
  }
  if (!(most > 0)) return std::nullopt;
  BestSoFar curve;
  curve.cost = cost;
  curve.searches = std::ssize(searches);
  curve.at = Places(most, cost);
  for (const double at : curve.at) {
    std::vector<double> best;
    for (const auto& of_search : steps) best.push_back(BestAt(of_search, at));
    const stats::Interval mean = MeanOf(best);
    curve.best.push_back(
        {std::exp2(mean.estimate), std::exp2(mean.low), std::exp2(mean.high)});
  }
  return curve;
}

}  // namespace kb::analysis
