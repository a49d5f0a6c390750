#include "curves.h"

#include <algorithm>
#include <iterator>

namespace kb::report {

std::vector<FastCurve> CurvesOf(const std::vector<std::string>& runs,
                                const std::vector<analysis::Entry>& entries,
                                const analysis::ScoreOptions& scoring) {
  analysis::ScoreOptions fine = scoring;
  fine.by = analysis::By::kRun;
  fine.ks.clear();
  fine.ps.clear();
  constexpr int kSteps = 40;
  for (int i = 0; i <= kSteps; ++i) fine.ps.push_back(i / 10.0);
  std::vector<FastCurve> curves;
  for (size_t i = 0; i < runs.size(); ++i) {
    std::vector<analysis::Entry> own;
    std::ranges::copy_if(
        entries, std::back_inserter(own),
        [&](const analysis::Entry& entry) { return entry.run == runs[i]; });
    const analysis::Scores scores = analysis::Score(own, fine);
    if (scores.rows.empty()) continue;
    FastCurve& curve = curves.emplace_back();
    curve.run = i;
    curve.ps = fine.ps;
    curve.values = scores.rows.front().fast;
    curve.problems = scores.rows.front().problems;
  }
  return curves;
}

}  // namespace kb::report
