#include "chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "text_fixture.h"

namespace kb::report {
namespace {

using record::Evaluation;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What follows `before`, the first time, as a number.
double NumberAfter(const std::string& text, const std::string& before) {
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before << " in " << text;
  return at == std::string::npos ? kNan
                                 : std::stod(text.substr(at + before.size()));
}

Evaluation Certified(double low, double high) {
  Evaluation e;
  e.speedup = {(low + high) / 2, low, high};
  return e;
}

void ExpectAxis(const std::vector<Evaluation>& evaluations, double low,
                double high) {
  const SpeedupAxis axis = AxisFor(evaluations);
  EXPECT_EQ(axis.low, low);
  EXPECT_EQ(axis.high, high);
}

TEST(SpeedupAxis, IsAtLeastHalfToTwice) {
  ExpectAxis({}, 0.5, 2);
  ExpectAxis({Evaluation()}, 0.5, 2);
  ExpectAxis({Certified(0.9, 1.1)}, 0.5, 2);
  ExpectAxis({Certified(0.5, 2)}, 0.5, 2);
}

TEST(SpeedupAxis, EndsAtPowersOfTwoThatHoldEveryInterval) {
  ExpectAxis({Certified(0.49, 2.01)}, 0.25, 4);
  ExpectAxis({Certified(3, 5), Certified(0.2, 0.3)}, 0.125, 8);
  ExpectAxis({Certified(8, 16)}, 0.5, 16);
}

TEST(SpeedupAxis, HasLimits) {
  ExpectAxis({Certified(1e-9, 1e9)}, 1.0 / 64, 1024);
}

TEST(SpeedupAxis, IntervalsThatAreNoNumbersDoNotCount) {
  ExpectAxis({Certified(0, 100), Certified(-1, 100), Certified(kNan, 100),
              Certified(1, kInfinity), Certified(1, kNan)},
             0.5, 2);
}

TEST(SpeedupScale, NamesItsEndsAndItsMiddle) {
  const std::string svg = SpeedupScaleSvg({0.25, 8});
  for (const char* tick : {">1/4x<", ">1x<", ">8x<"})
    EXPECT_TRUE(Has(svg, tick)) << svg;
}

TEST(SpeedupScale, EndThatWouldTouchTheMiddleStaysBlank) {
  const std::string svg = SpeedupScaleSvg({0.5, 1024});
  EXPECT_FALSE(Has(svg, "1/2x")) << svg;
  EXPECT_TRUE(Has(svg, ">1x<") && Has(svg, ">1024x<")) << svg;
}

// Of what is drawn: where 1x is, and where the bar begins and how long it is.
struct Bar {
  double one, x, width;
};
Bar BarOf(const std::string& svg) {
  return {NumberAfter(svg, "class=\"one\" x1=\""),
          NumberAfter(svg, "rect x=\""), NumberAfter(svg, "width=\"")};
}

TEST(SpeedupBar, GoesRightWhenFasterAndLeftWhenSlower) {
  const SpeedupAxis axis{0.25, 4};
  const std::string faster = SpeedupSvg({2, 1.9, 2.1}, axis);
  const std::string slower = SpeedupSvg({0.5, 0.49, 0.51}, axis);
  EXPECT_TRUE(Has(faster, "class=\"bar faster\""));
  EXPECT_TRUE(Has(slower, "class=\"bar slower\""));
  EXPECT_EQ(BarOf(faster).x, BarOf(faster).one);
  EXPECT_LT(BarOf(slower).x, BarOf(slower).one);
}

// On a logarithmic axis twice as fast is as far from 1x as half as fast, and
// half as far as four times.
TEST(SpeedupBar, LengthIsTheLogarithm) {
  const SpeedupAxis axis{0.25, 4};
  const auto length = [&](double ratio) {
    const std::string svg = SpeedupSvg({ratio, ratio, ratio}, axis);
    return NumberAfter(svg.substr(svg.find("<rect")), "width=\"");
  };
  EXPECT_NEAR(length(2), length(0.5), 0.11);
  EXPECT_NEAR(length(4), 2 * length(2), 0.11);
  EXPECT_GE(length(1), 1) << "is still to be seen";
}

TEST(SpeedupBar, WhatLiesBeyondTheAxisIsDrawnAtItsEdge) {
  const SpeedupAxis axis{0.5, 2};
  const std::string edge = SpeedupSvg({2, 2, 2}, axis);
  const std::string beyond = SpeedupSvg({500, 400, kInfinity}, axis);
  EXPECT_EQ(edge.substr(edge.find("<line")),
            beyond.substr(beyond.find("<line")));
  EXPECT_TRUE(Has(beyond, "speedup 500x [400, ?]")) << "the words are true";
}

TEST(SpeedupBar, WhatIsNoSpeedupHasNone) {
  for (const double ratio : {0.0, -1.0, kNan, kInfinity})
    EXPECT_EQ(SpeedupSvg({ratio, 1, 2}, {}), "") << ratio;
  EXPECT_EQ(SpeedupSvg({1.5, kNan, 2}, {}), "");
  EXPECT_EQ(SpeedupSvg({1.5, 1, kNan}, {}), "");
}

Evaluation Timed(const std::vector<double>& candidate_us) {
  Evaluation e;
  e.trials.emplace_back();  // an untimed one
  for (const double us : candidate_us) {
    record::Trial trial;
    trial.timed = trial.counts = true;
    trial.candidate_us = us;
    trial.reference_us = 20;
    e.trials.push_back(trial);
  }
  return e;
}

TEST(TrialsChart, UntimedTrialsAreNotInIt) {
  EXPECT_EQ(TrialsSvg(Evaluation()), "");
  EXPECT_EQ(TrialsSvg(Timed({})), "");
  const std::string svg = TrialsSvg(Timed({10, 11}));
  EXPECT_EQ(TimesIn(svg, "<circle"), 2U);
  EXPECT_EQ(TimesIn(svg, "class=\"reference\""), 2U);
  EXPECT_TRUE(Has(svg, "trial 1 to 2"));
}

TEST(TrialsChart, OnlyTrialsThatCountAreFilled) {
  Evaluation e = Timed({10, 11, 12});
  e.trials.back().counts = false;
  const std::string svg = TrialsSvg(e);
  EXPECT_EQ(TimesIn(svg, "class=\"point\""), 2U);
  EXPECT_EQ(TimesIn(svg, "class=\"point out\""), 1U);
  EXPECT_TRUE(Has(svg, "3 timed trials, of which 2 count"));
}

TEST(TrialsChart, AxisHasRoundTicksInTheUnitThatFits) {
  EXPECT_TRUE(Has(TrialsSvg(Timed({10})), ">10 \u00b5s<"));
  EXPECT_TRUE(Has(TrialsSvg(Timed({2500})), ">1 ms<"));
  EXPECT_TRUE(Has(TrialsSvg(Timed({2.5e6})), ">1 s<"));
  EXPECT_TRUE(Has(TrialsSvg(Timed({10})), ">0<")) << "begins at nothing";
}

TEST(TrialsChart, LongerTimesStandHigher) {
  const std::string svg = TrialsSvg(Timed({5, 15}));
  const double first = NumberAfter(svg, "cy=\"");
  const double second = NumberAfter(svg.substr(svg.find("cy=\"") + 4), "cy=\"");
  EXPECT_GT(first, second) << "y grows downwards";
}

TEST(TrialsChart, TimesOfNothingStillDraw) {
  Evaluation e = Timed({0});
  e.trials.back().reference_us = 0;
  const std::string svg = TrialsSvg(e);
  EXPECT_FALSE(svg.empty());
  EXPECT_FALSE(Has(svg, "nan") || Has(svg, "inf")) << svg;
}

}  // namespace
}  // namespace kb::report
