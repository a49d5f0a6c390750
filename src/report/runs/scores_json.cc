#include "base/json.h"
#include "record/document.h"
#include "report/scores.h"
#include "scope.h"

namespace kb::report {
namespace {

using analysis::Row;
using analysis::Scores;
using base::Json;

Json OrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// `low` and `high` are null of too few problems.
Json ToJson(const std::optional<stats::Interval>& interval, int64_t problems) {
  if (!interval) return nullptr;
  const bool enough = problems >= analysis::kLeastProblems;
  return {{"estimate", interval->estimate},
          {"low", enough ? Json(interval->low) : Json(nullptr)},
          {"high", enough ? Json(interval->high) : Json(nullptr)}};
}

Json ToJson(const analysis::Partial& figure) {
  return {{"value", ToJson(figure.value, figure.problems)},
          {"problems", figure.problems}};
}

Json BestToJson(const Row& row, const analysis::ScoreOptions& options) {
  Json list = Json::array();
  for (const analysis::BestOfK& best : row.of_k) {
    Json fast = Json::array();
    for (size_t i = 0; i < options.ps.size(); ++i)
      fast.push_back({{"p", options.ps[i]},
                      {"value", ToJson(best.fast[i], best.problems)},
                      {"upper", best.fast_upper[i]}});
    list.push_back({{"k", best.k},
                    {"problems", best.problems},
                    {"pass", ToJson(best.pass, best.problems)},
                    {"pass_upper", best.pass_upper},
                    {"fast_p", fast},
                    {"speedup_or_1", ToJson(best.speedup, best.problems)}});
  }
  return list;
}

Json VerdictsToJson(const Row& row) {
  Json verdicts = Json::object();
  for (const auto& [verdict, count] : row.verdicts)
    verdicts[record::VerdictName(verdict)] = count;
  for (const auto& [status, count] : row.unusable)
    verdicts[record::GenerationStatusName(status)] = count;
  for (const auto& [missing, count] : row.missing)
    verdicts[analysis::MissingName(missing)] = count;
  if (row.not_run > 0) verdicts["not_run"] = row.not_run;
  return verdicts;
}

Json ToJson(const Row& row, Scope scope,
            const analysis::ScoreOptions& options) {
  Json fast = Json::array();
  for (size_t i = 0; i < options.ps.size(); ++i)
    fast.push_back({{"p", options.ps[i]},
                    {"value", ToJson(row.fast[i], row.problems)},
                    {"upper", row.fast_upper[i]}});
  return {
      {"run", row.run},
      {"group", row.group},
      {"scope", ScopeName(scope)},
      {"problems", row.problems},
      {"samples", row.samples},
      {"open", row.open},
      {"without_baseline", row.speed_open},
      {"fast_p", fast},
      {"best_of_k", BestToJson(row, options)},
      {"compiled", ToJson(row.compiled, row.problems)},
      {"geometric_mean_speedup_of_correct",
       ToJson(row.speedup, row.problems_with_speedup)},
      {"geometric_mean_wall_speedup_of_correct",
       ToJson(row.wall_speedup, row.problems_with_wall_speedup)},
      {"geometric_mean_speedup_of_faster", ToJson(row.speedup_of_faster)},
      {"geometric_mean_speedup_of_all_or_1",
       ToJson(row.speedup_of_all, row.problems)},
      {"samples_with_speedup", row.with_speedup},
      {"verdicts", VerdictsToJson(row)},
      {"share_of_roofline", ToJson(row.roofline.value, row.roofline.problems)},
      {"above_roofline", row.above_roofline},
      {"roofline_by_data_sheet", row.by_data_sheet},
      {"sol_score", ToJson(row.sol_score)},
      {"own_share", ToJson(row.own_share)},
      {"seconds_to_first_correct", ToJson(row.seconds_to_correct)},
      {"usd", OrNull(row.usd)},
      {"usd_per_correct", OrNull(row.usd_per_correct)},
      {"usd_per_fast", OrNull(row.usd_per_fast)}};
}

Json GapsToJson(const Scores& scores) {
  Json list = Json::array();
  for (const auto& [run, gaps] : scores.gaps)
    list.push_back({{"run", run},
                    {"asked", gaps.asked},
                    {"complete", gaps.Open() == 0},
                    {"stopped_at_budget", gaps.over_budget},
                    {"not_asked", gaps.not_asked},
                    {"no_answer", gaps.no_answer},
                    {"not_judged", gaps.not_judged},
                    {"infra_error", gaps.infra_errors},
                    {"not_run", gaps.not_run}});
  return list;
}

Json ToJson(const analysis::Pairing& pairing, Scope scope) {
  const analysis::Comparison& found = pairing.comparison;
  return {
      {"first", pairing.first},
      {"second", pairing.second},
      {"scope", ScopeName(scope)},
      {"p", pairing.p},
      {"difference", ToJson(std::optional(found.difference), found.problems)},
      {"p_value", found.p_value},
      {"problems", found.problems},
      {"better", found.better},
      {"worse", found.worse}};
}

Json TurnsToJson(const ScoreRemarks& remarks,
                 const analysis::ScoreOptions& options) {
  Json list = Json::array();
  for (const analysis::TurnRow& row : remarks.turns) {
    Json fast = Json::array();
    for (size_t i = 0; i < row.fast.size(); ++i)
      fast.push_back({{"p", options.ps[i]}, {"value", row.fast[i]}});
    list.push_back({{"run", row.run},
                    {"turn", row.turn},
                    {"fast_p", fast},
                    {"tokens", row.tokens},
                    {"usd", OrNull(row.usd)},
                    {"minutes", row.minutes}});
  }
  return list;
}

Json OptimismToJson(const ScoreRemarks& remarks) {
  Json list = Json::array();
  for (const analysis::Optimism& found : remarks.optimism) {
    const auto mean = [&](double value) {
      return found.timed > 0 ? Json(value) : Json(nullptr);
    };
    list.push_back({{"run", found.run},
                    {"samples", found.samples},
                    {"not_correct_again", found.not_again},
                    {"timed", found.timed},
                    {"chosen_by_speedup", mean(found.chosen_by)},
                    {"speedup", mean(found.confirmed)}});
  }
  return list;
}

Json MeasuredToJson(const ScoreRemarks& remarks) {
  Json runs = Json::array();
  for (const auto& [run, measured] : remarks.measured) {
    Json precisions = Json::array();
    for (const record::Precision precision : measured.precisions)
      precisions.push_back(record::PrecisionName(precision));
    runs.push_back({{"run", run},
                    {"precisions", precisions},
                    {"cold", measured.cold},
                    {"warm", measured.warm},
                    {"first_call_median_s", measured.first_call_median_s},
                    {"first_call_max_s", measured.first_call_max_s}});
  }
  return runs;
}

}  // namespace

std::string ScoresJson(const analysis::TwoScores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks) {
  Json rows = Json::array(), pairings = Json::array();
  for (const auto& [part, scope] : {std::pair(&scores.all, Scope::kAll),
                                    std::pair(&scores.sound, Scope::kSound)}) {
    for (const Row& row : part->rows)
      rows.push_back(ToJson(row, scope, options));
    for (const analysis::Pairing& pairing : part->pairings)
      pairings.push_back(ToJson(pairing, scope));
  }
  return base::DumpJson(
      record::Document("analysis",
                       {
                           {"version", KB_VERSION},
                           {"baseline", remarks.baseline},
                           {"time", analysis::TimeName(options.time)},
                           {"ruler", remarks.ruler},
                           {"imported_speedups", remarks.foreign},
                           {"superseded_results", remarks.superseded},
                           {"without_baseline", remarks.without_baseline},
                           {"measured", MeasuredToJson(remarks)},
                           {"gaps", GapsToJson(scores.all)},
                           {"rows", rows},
                           {"pairings", pairings},
                           {"turns", TurnsToJson(remarks, options)},
                           {"judged_again", OptimismToJson(remarks)},
                           {"flagged",
                            {{"samples", scores.sound.flagged},
                             {"problems", scores.sound.flagged_problems}}},
                       }),
      2);
}

}  // namespace kb::report
