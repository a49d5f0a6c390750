#include "report/scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analysis/rulers.h"
#include "html/html.h"
#include "scope.h"

namespace kb::report {
namespace {

using analysis::Row;
using analysis::Scores;

// "0.42 [0.31, 0.53]", or "0.42" of too few problems.
std::string Text(const stats::Interval& interval, int64_t problems) {
  if (problems < analysis::kLeastProblems)
    return fmt::format("{:.3f}", interval.estimate);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", interval.estimate, interval.low,
                     interval.high);
}

std::string Text(const std::optional<stats::Interval>& interval,
                 int64_t problems) {
  return interval ? Text(*interval, problems) : "-";
}

std::string CountOf(int64_t count, const char* noun) {
  return html::CountOf(static_cast<size_t>(count), noun);
}

std::string LabelOf(const Row& row) {
  return row.group.empty() ? row.run : row.run + " " + row.group;
}

std::string VerdictsOf(const Row& row) {
  std::vector<std::string> verdicts;
  for (const auto& [verdict, count] : row.verdicts)
    verdicts.push_back(
        fmt::format("{} {}", count, record::VerdictName(verdict)));
  for (const auto& [status, count] : row.unusable)
    verdicts.push_back(
        fmt::format("{} {}", count, record::GenerationStatusName(status)));
  for (const auto& [missing, count] : row.missing)
    verdicts.push_back(
        fmt::format("{} {}", count, analysis::MissingName(missing)));
  if (row.not_run > 0)
    verdicts.push_back(fmt::format("{} not_run", row.not_run));
  return fmt::format("{}", fmt::join(verdicts, ", "));
}

std::string AboutOf(const Row& row, Scope scope) {
  if (scope == Scope::kSound) return "sound problems (no known weakness)";
  if (row.unlike_paper.empty())
    return "all problems (comparable with the paper)";
  return fmt::format("all problems (unlike the paper's: {})",
                     fmt::join(row.unlike_paper, ", "));
}

// "0.400 [0.310, 0.530], up to 0.520"
std::string Text(const std::optional<stats::Interval>& interval,
                 int64_t problems, bool open, double upper) {
  return Text(interval, problems) +
         (open && interval ? fmt::format(", up to {:.3f}", upper) : "");
}

// One row as lines of a name and a value.
class RowText {
 public:
  RowText(const Row& row, Scope scope, const analysis::ScoreOptions& options,
          const ScoreRemarks& remarks)
      : row_(row), options_(options), remarks_(remarks) {
    text_ = fmt::format("{}, {}: {}, {}\n", LabelOf(row), AboutOf(row, scope),
                        CountOf(row.problems, "problem"),
                        CountOf(row.samples, "sample"));
  }

  std::string Take() {
    AddFast();
    for (const analysis::BestOfK& best : row_.of_k)
      if (best.k > 1) AddBest(best);  // of 1 it is fast_p
    Add("compiles", Text(row_.compiled, row_.problems));
    AddSpeedups();
    Add("verdicts", VerdictsOf(row_));
    AddCeilings();
    AddOwnShare();
    AddCosts();
    return std::move(text_);
  }

 private:
  void Add(const std::string& name, const std::string& value) {
    text_ += fmt::format("  {:<22} {}\n", name, value);
  }

  std::string OfSome(const analysis::Partial& figure) const {
    return Text(figure.value, figure.problems) +
           (figure.problems == row_.problems
                ? ""
                : " of " + CountOf(figure.problems, "problem"));
  }

  void AddFast() {
    for (size_t i = 0; i < options_.ps.size(); ++i) {
      const double p = options_.ps[i];
      const bool open = row_.open > 0 || (p > 0 && row_.speed_open > 0);
      Add(p == 0 ? "fast_0 (correct)" : fmt::format("fast_{}", p),
          Text(row_.fast[i], row_.problems, open, row_.fast_upper[i]));
    }
  }

  void AddBest(const analysis::BestOfK& best) {
    const std::string of =
        best.problems == row_.problems
            ? ""
            : fmt::format(" of the {} with {} samples",
                          CountOf(best.problems, "problem"), best.k);
    Add(fmt::format("pass@{}", best.k),
        Text(best.pass, best.problems, row_.open > 0, best.pass_upper) + of);
    for (size_t i = 0; i < options_.ps.size(); ++i) {
      if (options_.ps[i] == 0) continue;
      Add(fmt::format("fast_{}@{}", options_.ps[i], best.k),
          Text(best.fast[i], best.problems,
               row_.open > 0 || row_.speed_open > 0, best.fast_upper[i]) +
              of);
    }
    Add(fmt::format("speedup of best of {}", best.k),
        Text(best.speedup, best.problems) + of);
  }

  // That of the time which is scored by comes first.
  void AddSpeedups() {
    const std::string device = Text(row_.speedup, row_.problems_with_speedup);
    const std::string wall =
        Text(row_.wall_speedup, row_.problems_with_wall_speedup);
    const auto name = [](int64_t samples) {
      return fmt::format("speedup of {} correct", samples);
    };
    const auto of = [&](int64_t samples) {
      return row_.with_speedup == row_.with_wall_speedup
                 ? ""
                 : fmt::format(" of {} correct", samples);
    };
    if (options_.time == analysis::Time::kWall) {
      Add(name(row_.with_wall_speedup), wall);
      if (row_.speedup) Add("by device time", device + of(row_.with_speedup));
    } else {
      Add(name(row_.with_speedup), device);
      if (row_.wall_speedup)
        Add("by wall time",
            wall + (remarks_.baseline == "eager" ? "" : " over eager") +
                of(row_.with_wall_speedup));
    }
    Add("speedup of faster", OfSome(row_.speedup_of_faster));
    Add("speedup of all, or 1", Text(row_.speedup_of_all, row_.problems));
  }

  void AddCeilings() {
    if (row_.roofline.value)
      Add("of roofline",
          OfSome(row_.roofline) +
              (row_.by_data_sheet == 0
                   ? ""
                   : fmt::format(", {} by the data sheet",
                                 CountOf(row_.by_data_sheet, "sample"))));
    if (row_.above_roofline > 0)
      Add("above the roofline", CountOf(row_.above_roofline, "sample") +
                                    ", which cannot have done the work");
    if (row_.roofline.value && row_.sol_score.value)
      Add("SOL score", OfSome(row_.sol_score));
  }

  void AddOwnShare() {
    if (row_.own_share.value) Add("code of its own", OfSome(row_.own_share));
  }

  void AddCosts() {
    if (const auto& seconds = row_.seconds_to_correct; seconds.value)
      Add("to the first correct",
          fmt::format("{:.1f} s of answers, mean of {}",
                      seconds.value->estimate,
                      CountOf(seconds.problems, "problem")));
    if (!row_.usd || !(*row_.usd > 0)) return;
    std::string cost = fmt::format("{:.4g} USD", *row_.usd);
    if (row_.usd_per_correct)
      cost +=
          fmt::format(", {:.4g} for a correct kernel", *row_.usd_per_correct);
    if (row_.usd_per_fast)
      cost +=
          fmt::format(", {:.4g} for one that is faster", *row_.usd_per_fast);
    Add("cost", cost);
  }

  const Row& row_;
  const analysis::ScoreOptions& options_;
  const ScoreRemarks& remarks_;
  std::string text_;
};

}  // namespace

ScoreRemarks RemarksOf(const analysis::RunReading& reading,
                       const analysis::ScoreOptions& options) {
  return {reading.baseline,   reading.without_baseline,
          reading.ruler,      reading.foreign,
          reading.superseded, analysis::ScoreTurns(reading.by_turn, options),
          reading.optimism,   analysis::MeasuredByRun(reading.entries)};
}

namespace {

// The rows of a run and group, those of all problems first.
std::string RowsText(const analysis::TwoScores& scores,
                     const analysis::ScoreOptions& options,
                     const ScoreRemarks& remarks) {
  std::string text;
  for (const Row& row : scores.all.rows) {
    text += RowText(row, Scope::kAll, options, remarks).Take();
    const auto sound =
        std::ranges::find_if(scores.sound.rows, [&](const Row& other) {
          return other.run == row.run && other.group == row.group;
        });
    if (sound != scores.sound.rows.end() && sound->samples != row.samples)
      text += RowText(*sound, Scope::kSound, options, remarks).Take();
    else
      text +=
          fmt::format("{}, {}: {}\n", LabelOf(row), AboutOf(row, Scope::kSound),
                      sound == scores.sound.rows.end() ? "none" : "the same");
  }
  return text;
}

std::string PairingsText(const Scores& scores, Scope scope) {
  std::string text;
  for (const analysis::Pairing& pairing : scores.pairings) {
    const analysis::Comparison& found = pairing.comparison;
    if (found.problems == 0) continue;
    text += fmt::format("{} against {}, {} problems, fast_{}: {:+.3f}",
                        pairing.first, pairing.second, ScopeName(scope),
                        pairing.p, found.difference.estimate);
    if (found.problems >= analysis::kLeastProblems)
      text += fmt::format(" [{:+.3f}, {:+.3f}]", found.difference.low,
                          found.difference.high);
    text += fmt::format(", p = {:.3g}, better on {} and worse on {} of {}\n",
                        found.p_value, found.better, found.worse,
                        CountOf(found.problems, "problem"));
  }
  return text;
}

// Two runs that have no problem in common are not compared, and that is said.
std::string UncomparedText(const Scores& scores) {
  std::string text;
  std::set<std::pair<std::string, std::string>> said;
  for (const analysis::Pairing& pairing : scores.pairings)
    if (pairing.comparison.problems == 0 &&
        said.emplace(pairing.first, pairing.second).second)
      text += fmt::format(
          "{} against {}: no problem in common (the same problem at another "
          "size or precision is another one)\n",
          pairing.first, pairing.second);
  return text;
}

// Scores after each turn, of all problems.
std::string TurnsText(const ScoreRemarks& remarks,
                      const analysis::ScoreOptions& options) {
  std::string text, run;
  for (const analysis::TurnRow& row : remarks.turns) {
    if (row.run != run) {
      run = row.run;
      text += fmt::format(
          "{}, best so far after each turn, as it was judged when it was "
          "chosen\n  turn",
          run);
      for (const double p : options.ps)
        text += fmt::format("  {:>8}", fmt::format("fast_{}", p));
      text += "        tokens       USD   minutes\n";
    }
    text += fmt::format("  {:>4}", row.turn);
    for (const double fast : row.fast) text += fmt::format("  {:>8.3f}", fast);
    text += fmt::format("  {:>12}  {:>8}  {:>8.1f}\n", row.tokens,
                        row.usd ? fmt::format("{:.4g}", *row.usd) : "unknown",
                        row.minutes);
  }
  return text;
}

std::string OptimismText(const ScoreRemarks& remarks) {
  std::string text;
  for (const analysis::Optimism& found : remarks.optimism) {
    text += fmt::format("{}: the best turns of {} were judged once more",
                        found.run, CountOf(found.samples, "sample"));
    if (found.not_again > 0)
      text += fmt::format("; not correct any more: {}", found.not_again);
    if (found.timed > 0)
      text += fmt::format(
          "; speedup {:.3f}, where they were chosen by {:.3f} ({:+.1f} % "
          "optimism)",
          found.confirmed, found.chosen_by,
          100 * (found.chosen_by / found.confirmed - 1));
    text += "\n";
  }
  return text;
}

std::string MeasuredText(const ScoreRemarks& remarks) {
  std::string text;
  for (const auto& [run, measured] : remarks.measured)
    text += fmt::format(
        "{}: times of {}; the first call of each, for loading, compiling and "
        "tuning, is no part of them: {}\n",
        run, analysis::ConditionsOf(measured),
        analysis::FirstCallsOf(measured));
  return text;
}

std::string RemarksText(const Scores& scores, const ScoreRemarks& remarks) {
  std::string text;
  for (const auto& [run, gaps] : scores.gaps) {
    if (gaps.no_answer > 0)
      text += fmt::format("{}: {} without an answer, counted as failed\n", run,
                          CountOf(gaps.no_answer, "sample"));
    if (gaps.not_run > 0)
      text += fmt::format(
          "{}: {} that cannot run on the device, counted as failed\n", run,
          CountOf(gaps.not_run, "sample"));
  }
  if (remarks.without_baseline > 0)
    text += fmt::format(
        "{} without a time of the baseline: correct, not counted as fast\n",
        CountOf(remarks.without_baseline, "sample"));
  if (remarks.superseded > 0)
    text +=
        fmt::format("not counted: {} of samples that were judged again later\n",
                    CountOf(remarks.superseded, "result"));
  if (remarks.foreign > 0)
    text += fmt::format(
        "imported, not measured by a ruler of ours: {} with a speedup\n",
        CountOf(remarks.foreign, "sample"));
  return text;
}

}  // namespace

std::vector<std::string> IncompleteLines(const analysis::Scores& scores) {
  std::vector<std::string> lines;
  for (const auto& [run, gaps] : scores.gaps) {
    if (gaps.Open() == 0) continue;
    std::vector<std::string> why;
    const auto add = [&](int64_t count, const char* what) {
      if (count > 0)
        why.push_back(fmt::format("{} of {} {}", count,
                                  CountOf(gaps.asked, "sample"), what));
    };
    add(gaps.not_asked, "not asked");
    add(gaps.infra_errors, "left unjudged by our own failure");
    add(gaps.not_judged, "answered and not judged yet");
    lines.push_back(fmt::format(
        "{}: {}: {}. They count as failed; \"up to\" is the score if all of "
        "them turned out well",
        run, gaps.over_budget ? "stopped at its budget" : "incomplete",
        fmt::join(why, ", ")));
  }
  return lines;
}

std::string ScoresText(const analysis::TwoScores& scores,
                       const analysis::ScoreOptions& options,
                       const ScoreRemarks& remarks) {
  const std::string of_ruler = analysis::RulerRemark(remarks.ruler);
  std::string text;
  for (const std::string& line : IncompleteLines(scores.all))
    text += line + "\n";
  if (!of_ruler.empty()) text += of_ruler + "\n";
  text += RowsText(scores, options, remarks);
  text += PairingsText(scores.all, Scope::kAll);
  text += PairingsText(scores.sound, Scope::kSound);
  text += UncomparedText(scores.all);
  text += TurnsText(remarks, options);
  text += OptimismText(remarks);
  text += RemarksText(scores.all, remarks);
  text += MeasuredText(remarks);
  if (scores.all.rows.empty())
    return text +
           "no sample to score; kernelbench run judges what a model answered\n";
  return text +
         fmt::format(
             "fast_p: share of samples that are correct and more than p times "
             "as fast, mean over problems, by {} time. Speedups: over PyTorch "
             "{}, geometric mean of correct samples only. Intervals: "
             "95 % over problems, none of fewer than {}. All formulas: "
             "docs/scores.md.\n",
             analysis::TimeName(options.time), remarks.baseline,
             analysis::kLeastProblems);
}

}  // namespace kb::report
