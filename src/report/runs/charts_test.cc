#include "charts.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "text_fixture.h"

namespace kb::report {
namespace {

using record::Verdict;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Book BookOfRuns(const std::vector<std::string>& names) {
  Book book;
  for (const std::string& name : names) {
    book.runs.emplace_back().name = name;
    analysis::Row& row = book.scores.sound.rows.emplace_back();
    row.run = name;
    row.fast.resize(book.scoring.ps.size(), {0.5, 0.4, 0.6});
    row.verdicts[Verdict::kCorrect] = 10;
  }
  book.problems.resize(1);
  return book;
}

FastCurve Curve(double last_p, double high) {
  return {0, {0, last_p}, {{0.1, 0, high}, {0.05, 0, high}}, 10};
}

TEST(CurvesChart, IsNotThereWithoutAPointToDraw) {
  Book book = BookOfRuns({"small"});
  EXPECT_EQ(CurvesSvg(book), "");
  book.curves = {{0, {1}, {{0.5, 0.4, 0.6}}, 10},  // no line
                 {0, {0, 1}, {{0.5, 0.4, 0.6}}, 10},
                 Curve(0, 0.5),
                 Curve(2, kNan),
                 Curve(kNan, 0.5)};
  EXPECT_EQ(CurvesSvg(book), "");
}

TEST(CurvesChart, OneThatCannotBeDrawnLeavesTheOthers) {
  Book book = BookOfRuns({"small"});
  book.curves = {Curve(2, kNan), Curve(2, 0.5)};
  const std::string svg = CurvesSvg(book);
  EXPECT_EQ(TimesIn(svg, "class=\"line "), 1U);
  EXPECT_FALSE(Has(svg, "nan"));
}

TEST(CurvesChart, StepsAndNeverSlopes) {
  Book book = BookOfRuns({"small"});
  book.curves = {Curve(2, 0.5)};
  const std::string svg = CurvesSvg(book);
  const size_t line = svg.find("class=\"line ");
  const std::string path = svg.substr(line, svg.find("/>", line) - line);
  EXPECT_FALSE(Has(path, "L")) << path;
  EXPECT_EQ(TimesIn(path, "H"), 1U) << path;
  EXPECT_EQ(TimesIn(path, "V"), 1U) << path;
}

TEST(CurvesChart, OfFewProblemsThereIsNoInterval) {
  Book book = BookOfRuns({"small"});
  book.curves = {Curve(2, 0.5)};
  EXPECT_TRUE(Has(CurvesSvg(book), "class=\"confidence "));
  book.curves[0].problems = 9;
  EXPECT_FALSE(Has(CurvesSvg(book), "class=\"confidence "));
}

TEST(CurvesChart, AxisEndsAtAFifthAboveTheHighestValue) {
  Book book = BookOfRuns({"small"});
  book.curves = {Curve(2, 0.5)};
  const std::string svg = CurvesSvg(book);
  EXPECT_TRUE(Has(svg, ">0.6</text>"));
  EXPECT_FALSE(Has(svg, ">0.8</text>"));
  book.curves = {Curve(2, 0.01)};
  EXPECT_TRUE(Has(CurvesSvg(book), ">0.2</text>")) << "shares are not blown up";
  book.curves = {Curve(2, 1)};
  EXPECT_TRUE(Has(CurvesSvg(book), ">1</text>"));
}

TEST(CostChart, WantsAPriceAndACorrectSample) {
  Book book = BookOfRuns({"unknown", "free", "never right", "paid"});
  book.runs[1].usd = 0;
  book.runs[2].usd = 5;
  book.scores.sound.rows[2].verdicts.clear();
  EXPECT_EQ(CostSvg(book), "");
  book.runs[3].usd = 5;
  const std::string svg = CostSvg(book);
  EXPECT_EQ(TimesIn(svg, "class=\"mark "), 1U);
  EXPECT_TRUE(Has(svg, "paid: 0.5 USD, 0.500;")) << "5 USD for 10 correct ones";
}

TEST(CostChart, AxisIsLogarithmicOnlyWherePricesDiffer) {
  Book book = BookOfRuns({"small", "large"});
  book.runs[0].usd = 10;
  book.runs[1].usd = 20;
  EXPECT_TRUE(Has(CostSvg(book), ">$0</text>"));
  book.runs[1].usd = 1000;
  const std::string svg = CostSvg(book);
  EXPECT_FALSE(Has(svg, ">$0</text>")) << "a logarithm has no zero";
  for (const char* tick : {">$1</text>", ">$10</text>", ">$100</text>"})
    EXPECT_TRUE(Has(svg, tick)) << tick;
}

void AddSample(Verdict verdict, double speedup, double wall, Book* book) {
  BookSample& sample = book->samples.emplace_back();
  sample.outcome.verdict = verdict;
  sample.outcome.speedup = speedup;
  sample.outcome.wall_speedup = wall;
}

TEST(SpeedupsChart, CountsOnlyCorrectSamplesThatHaveOne) {
  Book book = BookOfRuns({"small"});
  AddSample(Verdict::kNotCertified, 100, 100, &book);
  AddSample(Verdict::kCorrect, kNan, 100, &book);
  EXPECT_EQ(SpeedupsHtml(book), "");
  for (const double speedup : {1.0, 2.0, 3.0, 4.0, 5.0})
    AddSample(Verdict::kCorrect, speedup, kNan, &book);
  EXPECT_TRUE(Has(SpeedupsHtml(book),
                  "5 correct samples, median 3.00x, half of them between "
                  "2.00x and 4.00x</small>"));
}

TEST(SpeedupsChart, FlaggedProblemsAreInItOnlyIfAskedFor) {
  Book book = BookOfRuns({"small"});
  AddSample(Verdict::kCorrect, 2, 1.5, &book);
  book.samples[0].flagged = true;
  EXPECT_EQ(SpeedupsHtml(book), "");
  book.scoring.with_flagged = true;
  EXPECT_TRUE(Has(SpeedupsHtml(book), "by wall time median 1.50x over eager"));
}

TEST(SpeedupsChart, WhatLiesBeyondTheAxisFallsInTheLastBars) {
  Book book = BookOfRuns({"small"});
  for (const double speedup : {1e-6, 0.126, 15.9, 1e6})
    AddSample(Verdict::kCorrect, speedup, kNan, &book);
  EXPECT_EQ(TimesIn(SpeedupsHtml(book), "<rect"), 2U);
}

TEST(RunKey, NamesAreTextAndRunsOfOneColourHaveIt) {
  Book book = BookOfRuns({"<b>&", "1", "2", "3", "4", "5", "6", "7", "8"});
  const std::string key = RunKeyHtml(book);
  EXPECT_TRUE(Has(key, "&lt;b&gt;&amp;</li>"));
  EXPECT_EQ(TimesIn(key, "class=\"line r0\""), 2U) << "the first and the ninth";
  EXPECT_EQ(TimesIn(key, "class=\"line r7\""), 1U);
}

}  // namespace
}  // namespace kb::report
