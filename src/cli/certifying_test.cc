#include "certifying.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace kb::cli {
namespace {

// References of the given ratios to themselves; the interval is +-1 %.
std::vector<record::Evaluation> Measured(const std::vector<double>& ratios) {
  std::vector<record::Evaluation> evaluations;
  for (const double ratio : ratios)
    evaluations.emplace_back().speedup =
        record::Interval{ratio, ratio * 0.99, ratio * 1.01};
  return evaluations;
}

// Of `problems` in turn, again and again.
aa::Summary SummaryOf(const std::vector<record::Evaluation>& evaluations,
                      size_t problems = 100) {
  std::vector<aa::Line> lines;
  for (size_t i = 0; i < evaluations.size(); ++i)
    lines.push_back({fmt::format("level1/{}", i % problems), &evaluations[i]});
  return aa::Summarize(lines);
}

TEST(Aa, SummaryIsOfLogRatios) {
  const auto evaluations = Measured({1, 1.005, std::exp(0.04)});
  const aa::Summary summary = SummaryOf(evaluations);
  EXPECT_EQ(summary.measured, 3);
  EXPECT_NEAR(summary.median, std::log(1.005), 1e-12);
  EXPECT_NEAR(summary.worst, 0.04, 1e-12);
  EXPECT_NEAR(summary.within, 2.0 / 3, 1e-12);
  EXPECT_NEAR(summary.mean, (std::log(1.005) + 0.04) / 3, 1e-12);
}

TEST(Aa, SeveralMeasurementsOfAProblemHaveTheirMean) {
  const double up = std::exp(0.08);
  // By chance one way and the other: two problems, twice.
  const aa::Summary chance = SummaryOf(Measured({up, 1 / up, 1 / up, up}), 2);
  EXPECT_EQ(chance.measured, 2);
  EXPECT_EQ(chance.measurements, 2);
  EXPECT_NEAR(chance.median, 0, 1e-12);
  EXPECT_EQ(chance.within, 0);
  // A ruler that is bent stays so.
  const aa::Summary bent = SummaryOf(Measured({up, up, up, up}), 2);
  EXPECT_NEAR(bent.median, 0.08, 1e-12);
}

TEST(Aa, OneFailureMakesTheRulerNotStraight) {
  auto evaluations = Measured({1, 1, 1});
  EXPECT_TRUE(aa::IsStraight(SummaryOf(evaluations), aa::BoundsFor(true)));
  evaluations.emplace_back();  // not timed
  EXPECT_FALSE(aa::IsStraight(SummaryOf(evaluations), aa::BoundsFor(true)));
}

TEST(Aa, ErrorsOneWayAreSeenOnceThereAreTen) {
  // All within their bounds, all on one side.
  EXPECT_TRUE(aa::IsStraight(SummaryOf(Measured(std::vector(9, 1.0025))),
                             aa::BoundsFor(true)));
  EXPECT_FALSE(aa::IsStraight(SummaryOf(Measured(std::vector(10, 1.0025))),
                              aa::BoundsFor(true)));
}

Fixture Of(const std::string& sample, const std::string& expected,
           const std::string& verdict, const std::string& reason) {
  return {sample, "level1/19", expected, verdict, reason, expected == verdict};
}

Certification Good() {
  Certification c;
  c.device = "cpu";
  c.fixtures = {Of("level1_19_relu/loop.cpp", "correct", "correct", "")};
  c.ruler = SummaryOf(Measured({1, 1, 1}));
  c.bounds = aa::BoundsFor(false);
  return c;
}

TEST(Certification, WantsEveryVerdictAndAStraightRuler) {
  EXPECT_TRUE(Good().Passed());
  Certification wrong = Good();
  wrong.fixtures.push_back(Of("x.cu", "timeout", "correct", ""));
  EXPECT_FALSE(wrong.Passed());
  Certification crooked = Good();
  crooked.ruler = SummaryOf(Measured({1, 1, 2}));
  EXPECT_FALSE(crooked.Passed());
}

TEST(Certification, NothingJudgedIsNotCertified) {
  Certification c = Good();
  c.fixtures.clear();
  EXPECT_FALSE(c.Passed());
  c = Good();
  c.ruler = aa::Summary();
  EXPECT_FALSE(c.Passed());
  c.ruler.reset();
  EXPECT_FALSE(c.Passed());
  c = Good();
  c.interrupted = true;
  EXPECT_FALSE(c.Passed());
}

TEST(Certification, NamesWhatIsWrong) {
  Certification c = Good();
  c.fixtures.push_back(Of("level1_19_relu/zeros.py", "incorrect", "correct",
                          "all outputs agree"));
  const std::string text = Describe(c);
  EXPECT_NE(text.find("WRONG    level1_19_relu/zeros.py: correct\n"
                      "           expected incorrect; all outputs agree\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1 of 2 known verdicts"), std::string::npos);
  EXPECT_NE(text.find("cpu is NOT certified."), std::string::npos);
  EXPECT_NE(Describe(Good()).find("cpu is certified."), std::string::npos);
}

}  // namespace
}  // namespace kb::cli
