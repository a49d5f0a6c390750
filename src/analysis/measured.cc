#include "analysis/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "stats/summary.h"

namespace kb::analysis {
namespace {

std::string SecondsText(double seconds) {
  return seconds < 10 ? fmt::format("{:.2g} s", seconds)
                      : fmt::format("{:.0f} s", seconds);
}

}  // namespace

std::map<std::string, Measured> MeasuredByRun(
    const std::vector<Entry>& entries) {
  std::map<std::string, Measured> runs;
  std::map<std::string, std::vector<double>> first_calls;
  for (const Entry& entry : entries) {
    const record::Outcome& outcome = entry.outcome;
    if (outcome.ruler == 0 || !outcome.candidate_us) continue;
    Measured& measured = runs[entry.run];
    measured.precisions.insert(outcome.precision);
    (outcome.warm ? measured.warm : measured.cold) = true;
    first_calls[entry.run].push_back(outcome.first_us / 1e6);
  }
  for (const auto& [run, seconds] : first_calls) {
    runs[run].first_call_median_s = stats::Median(seconds);
    runs[run].first_call_max_s = std::ranges::max(seconds);
  }
  return runs;
}

std::string ConditionsOf(const Measured& measured) {
  std::vector<std::string> precisions;
  for (const record::Precision precision : measured.precisions)
    precisions.emplace_back(record::PrecisionName(precision));
  const char* caches =
      measured.warm ? (measured.cold ? "cold and warm" : "warm") : "cold";
  return fmt::format("{}, {} caches, the oracle's clock",
                     fmt::join(precisions, " and "), caches);
}

std::string FirstCallsOf(const Measured& measured) {
  return fmt::format("{} in the middle, {} at most",
                     SecondsText(measured.first_call_median_s),
                     SecondsText(measured.first_call_max_s));
}

}  // namespace kb::analysis
