#include "analysis/baseline_comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>

#include "stats/summary.h"

namespace kb::analysis {
namespace {

using record::Baseline;
using record::BaselineMode;

using Key =
    std::tuple<BaselineMode, std::string, record::Size, record::Precision>;

std::map<Key, const Baseline*> Timed(const std::vector<Baseline>& baselines) {
  std::map<Key, const Baseline*> timed;
  for (const Baseline& b : baselines)
    if (b.time && b.time->median > 0)
      timed[{b.mode, b.problem_hash, b.size, b.precision}] = &b;
  return timed;
}

class OfMode {
 public:
  void Add(const Baseline& first, const Baseline& second) {
    const double ratio = second.time->median / first.time->median;
    logs_.push_back(std::log(ratio));
    if (found_.count == 0 ||
        std::fabs(logs_.back()) > std::fabs(std::log(found_.worst))) {
      found_.worst = ratio;
      found_.problem = first.problem_id;
    }
    ++found_.count;
    const bool meet = first.time->q25 <= second.time->q75 &&
                      second.time->q25 <= first.time->q75;
    found_.overlap += meet ? 1 : 0;
    if (!first.speedup || !second.speedup) return;
    const double now = second.speedup->estimate;
    ++found_.speedups;
    found_.inside +=
        first.speedup->low <= now && now <= first.speedup->high ? 1 : 0;
  }

  ModeComparison Result(BaselineMode mode) const {
    ModeComparison result = found_;
    result.mode = mode;
    double sum = 0;
    std::vector<double> sizes;
    for (const double log : logs_) {
      sum += log;
      sizes.push_back(std::fabs(log));
    }
    result.ratio = std::exp(sum / static_cast<double>(logs_.size()));
    result.median = stats::Median(sizes);
    return result;
  }

 private:
  ModeComparison found_;
  std::vector<double> logs_;
};

}  // namespace

BaselineComparison Compare(const std::vector<Baseline>& first,
                           const std::vector<Baseline>& second) {
  const auto before = Timed(first), after = Timed(second);
  BaselineComparison comparison;
  std::map<BaselineMode, OfMode> modes;
  int64_t both = 0;
  for (const auto& [key, baseline] : before) {
    const auto found = after.find(key);
    if (found == after.end()) {
      ++comparison.first_alone;
      continue;
    }
    ++both;
    if (found->second->ruler == baseline->ruler)
      modes[std::get<0>(key)].Add(*baseline, *found->second);
    else
      ++comparison.other_ruler;
  }
  comparison.second_alone = static_cast<int64_t>(after.size()) - both;
  for (const auto& [mode, changes] : modes)
    comparison.modes.push_back(changes.Result(mode));
  return comparison;
}

std::string ToText(const BaselineComparison& comparison) {
  std::string text = fmt::format(
      "{:<36} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}  {}\n", "mode", "problems",
      "ratio", "median", "overlap", "inside", "worst", "of");
  for (const ModeComparison& mode : comparison.modes)
    text += fmt::format(
        "{:<36} {:>8} {:>9.4f} {:>8.2f}% {:>9} {:>9} {:>9.4f}  {}\n",
        record::BaselineModeName(mode.mode), mode.count, mode.ratio,
        100 * std::expm1(mode.median), mode.overlap,
        mode.speedups == 0 ? "-"
                           : fmt::format("{}/{}", mode.inside, mode.speedups),
        mode.worst, mode.problem);
  text += fmt::format(
      "times of one file alone: {} of the first, {} of the second; by "
      "different rulers: {}\n",
      comparison.first_alone, comparison.second_alone, comparison.other_ruler);
  return text +
         "ratio: geometric mean of the second file's times over the first's; "
         "median: of how far\none is from the other; overlap: problems whose "
         "quartile ranges meet; inside: where the\nsecond's speedup over eager "
         "lies in the first's interval.\n";
}

base::Json ToJson(const BaselineComparison& comparison) {
  base::Json modes = base::Json::array();
  for (const ModeComparison& mode : comparison.modes)
    modes.push_back({{"mode", record::BaselineModeName(mode.mode)},
                     {"problems", mode.count},
                     {"ratio", mode.ratio},
                     {"median_log_ratio", mode.median},
                     {"worst_ratio", mode.worst},
                     {"worst_problem", mode.problem},
                     {"overlap", mode.overlap},
                     {"speedups", mode.speedups},
                     {"inside", mode.inside}});
  return {{"modes", modes},
          {"first_alone", comparison.first_alone},
          {"second_alone", comparison.second_alone},
          {"other_ruler", comparison.other_ruler}};
}

}  // namespace kb::analysis
