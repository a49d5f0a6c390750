#include "analysis/searches.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kb::analysis {
namespace {

using record::AskKind;
using record::Decision;
using record::Verdict;

// A log whose turns are correct at these speedups; 0: wrong.
class SearchLog {
 public:
  SearchLog& Add(const std::string& problem, std::vector<double> speedups,
                 std::optional<double> usd = 0.5) {
    for (size_t i = 0; i < speedups.size(); ++i) {
      const auto turn = static_cast<int64_t>(i) + 1;
      Decision asked;
      asked.problem_id = problem;
      asked.ask.emplace().turn = turn;
      decisions.push_back(asked);
      Decision told;
      told.problem_id = problem;
      told.told.emplace().turn = turn;
      told.told->verdict =
          speedups[i] > 0 ? Verdict::kCorrect : Verdict::kIncorrect;
      if (speedups[i] > 0) told.told->speedup = speedups[i];
      told.told->seconds = 30;
      decisions.push_back(told);
      record::Generation& answer = answers.emplace_back();
      answer.problem_id = problem;
      answer.turn = turn;
      answer.usage.input = 90;
      answer.usage.output = 10;
      answer.usd = usd;
    }
    return *this;
  }
  std::vector<Search> Searches() const {
    return SearchesOf(decisions, answers);
  }

  std::vector<Decision> decisions;
  std::vector<record::Generation> answers;
};

TEST(SearchesTest, TurnsAreOfTheirSearchWithWhatTheyCost) {
  SearchLog log;
  log.Add("a", {0, 2}).Add("b", {1});
  log.decisions.pop_back();  // it was still open
  const auto searches = log.Searches();
  ASSERT_EQ(searches.size(), 2U);
  EXPECT_EQ(searches[0].turns.size(), 2U);
  EXPECT_EQ(searches[0].turns[1].tokens, 100);
  EXPECT_EQ(searches[0].best, 2);
  EXPECT_FALSE(searches[1].turns[0].told);
  EXPECT_EQ(searches[1].best, std::nullopt);
}

TEST(SearchesTest, SampleOfAnotherModelIsAnotherSearch) {
  SearchLog log, of_b;
  log.Add("a", {2});
  of_b.Add("a", {0, 4});
  for (Decision& line : of_b.decisions) line.model = "b";
  for (record::Generation& answer : of_b.answers) {
    answer.model = "b";
    answer.usage.output = 20;
  }
  log.decisions.insert(log.decisions.end(), of_b.decisions.begin(),
                       of_b.decisions.end());
  log.answers.insert(log.answers.end(), of_b.answers.begin(),
                     of_b.answers.end());
  const auto searches = log.Searches();
  ASSERT_EQ(searches.size(), 2U);
  EXPECT_EQ(searches[0].turns.size(), 1U);
  EXPECT_EQ(searches[0].turns[0].tokens, 100);
  EXPECT_EQ(searches[1].model, "b");
  EXPECT_EQ(searches[1].turns[0].tokens, 110);
  EXPECT_EQ(searches[1].best, 2);
}

TEST(SearchesTest, ImprovementsAreBetterThanAllBefore) {
  const auto searches = SearchLog().Add("a", {0, 2, 1.5, 4, 4, 0}).Searches();
  EXPECT_EQ(Improvements(searches[0]), (std::vector<int64_t>{1, 2, 4}));
}

// Two searches, of which one reaches 4x and then 16x and the other nothing that
// eager does not: the mean of 2 and 0 doublings is one, of 4 and 0 two.
TEST(SearchesTest, BestSoFarIsTheGeometricMeanOverSearches) {
  const auto searches =
      SearchLog().Add("a", {4, 1, 16}).Add("b", {0.5, 0}).Searches();
  const auto curve = BestSoFarOf(searches, SearchCost::kAnswers);
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->at, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(curve->searches, 2);
  std::vector<double> best;
  for (const auto& value : curve->best) best.push_back(value.estimate);
  EXPECT_EQ(best, (std::vector<double>{1, 2, 2, 4}));
  // Of few searches it is from the worst to the best.
  EXPECT_EQ(curve->best[3].low, 1);
  EXPECT_EQ(curve->best[3].high, 16);
}

TEST(SearchesTest, OfFewSearchesTheBandIsFromTheWorstToTheBest) {
  SearchLog log;
  for (int i = 0; i < 8; ++i) log.Add("even" + std::to_string(i), {2});
  log.Add("best", {16});
  auto curve = BestSoFarOf(log.Searches(), SearchCost::kAnswers);
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->best[1].low, 2);
  EXPECT_EQ(curve->best[1].high, 16);
  log.Add("another", {2});
  curve = BestSoFarOf(log.Searches(), SearchCost::kAnswers);
  EXPECT_LT(curve->best[1].high, 16) << "ten have an interval of their mean";
}

// Three answers of half a minute each, judgements included.
TEST(SearchesTest, MinutesAreOfAnswersAndJudgements) {
  const auto searches = SearchLog().Add("a", {4, 1, 16}).Searches();
  const auto curve = BestSoFarOf(searches, SearchCost::kMinutes);
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->at.back(), 1.5);
  for (size_t i = 0; i < curve->at.size(); ++i)
    EXPECT_EQ(curve->best[i].estimate, curve->at[i] < 0.5   ? 1
                                       : curve->at[i] < 1.5 ? 4
                                                            : 16)
        << curve->at[i];
}

TEST(SearchesTest, CostsAreTokensAndUsd) {
  const auto searches = SearchLog().Add("a", {4, 1, 16}).Searches();
  const auto tokens = BestSoFarOf(searches, SearchCost::kTokens);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->at.back(), 300);
  EXPECT_EQ(tokens->best.back().estimate, 16);
  const auto usd = BestSoFarOf(searches, SearchCost::kUsd);
  ASSERT_TRUE(usd);
  EXPECT_EQ(usd->at.back(), 1.5);
  for (size_t i = 0; i < usd->at.size(); ++i)
    EXPECT_EQ(usd->best[i].estimate, usd->at[i] < 0.5   ? 1
                                     : usd->at[i] < 1.5 ? 4
                                                        : 16)
        << usd->at[i];
}

TEST(SearchesTest, WhatIsNotKnownHasNoCurve) {
  EXPECT_FALSE(BestSoFarOf({}, SearchCost::kAnswers));
  const auto searches =
      SearchLog().Add("a", {2}).Add("b", {2}, std::nullopt).Searches();
  EXPECT_FALSE(BestSoFarOf(searches, SearchCost::kUsd));
  EXPECT_TRUE(BestSoFarOf(searches, SearchCost::kTokens));
}

TEST(SearchesTest, GivenProgramCostsNoAnswer) {
  SearchLog log;
  log.Add("a", {8, 2});
  log.decisions[0].ask->kind = AskKind::kGiven;
  const auto curve = BestSoFarOf(log.Searches(), SearchCost::kAnswers);
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->at, (std::vector<double>{0, 1}));
  EXPECT_EQ(curve->best[0].estimate, 8);
}

}  // namespace
}  // namespace kb::analysis
