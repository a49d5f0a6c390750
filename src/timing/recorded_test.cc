#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "stats/summary.h"
#include "timing/estimate.h"
#include "timing/stopping.h"

namespace kb::timing {
namespace {

using record::Interval;
using record::Ruler;
using record::Trial;

struct Recorded {
  Ruler ruler;
  std::vector<Trial> trials;
};

std::map<std::string, Recorded> ReadAll() {
  std::map<std::string, Recorded> all;
  std::ifstream file(KB_RECORDED);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("problem,")) continue;
    std::ranges::replace(line, ',', ' ');
    std::istringstream fields(line);
    std::string problem;
    fields >> problem;
    Recorded& recorded = all[problem];
    Trial trial;
    trial.timed = trial.counts = true;
    fields >> recorded.ruler.calls >> trial.process >> trial.reference_one_us >>
        trial.reference_chain_us >> trial.candidate_one_us >>
        trial.candidate_chain_us >> trial.constant_us;
    EXPECT_FALSE(fields.fail()) << line;
    const Allowance alone = AllowanceAlone(true, true);
    recorded.ruler.alone_us = alone.micros;
    recorded.ruler.alone_share = alone.share;
    recorded.trials.push_back(trial);
  }
  return all;
}

// What no model of the noise can say: both sides are the same code. These
// readings had no part in choosing the rule.
TEST(Recorded, ReferencesAreAsFastAsThemselves) {
  const auto all = ReadAll();
  ASSERT_EQ(all.size(), 39U);
  std::vector<double> errors;
  size_t contain = 0;
  for (const auto& [problem, recorded] : all) {
    const Interval found = Speedup(recorded.trials, recorded.ruler, true);
    errors.push_back(std::abs(std::log(found.estimate)));
    EXPECT_LT(errors.back(), 0.03) << problem;
    contain += found.low <= 1 && 1 <= found.high ? 1 : 0;
  }
  RecordProperty("median", std::to_string(stats::Median(errors)));
  RecordProperty("contain", static_cast<int>(contain));
  EXPECT_LT(stats::Median(errors), 0.003);
  EXPECT_LT(stats::Quantile(errors, 0.9), 0.01);
  EXPECT_GE(contain * 10, all.size() * 9);
}

}  // namespace
}  // namespace kb::timing
