#include "detail.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "text_fixture.h"

namespace kb::report {
namespace {

using base::Json;
using record::Evaluation;

Json DetailOf(const Evaluation& e) {
  return DetailJson(BookRun(), BookSample(), e);
}

void AddTrial(double reference_us, double candidate_us, bool counts,
              Evaluation* e) {
  record::Trial trial;
  trial.timed = true;
  trial.reference_us = reference_us;
  trial.candidate_us = candidate_us;
  trial.counts = counts;
  e->trials.push_back(trial);
}

TEST(Rounded, HasFiveSignificantDigits) {
  EXPECT_EQ(Rounded(123456), 123460.0);
  EXPECT_EQ(Rounded(0.00012345649), 0.00012346);
  EXPECT_EQ(Rounded(-1.0 / 3), -0.33333);
  EXPECT_EQ(Rounded(0), 0.0);
  EXPECT_EQ(Rounded(1e300), 1e300);
}

TEST(Rounded, IsNullWhenItIsNoNumber) {
  EXPECT_EQ(Rounded(std::nan("")), nullptr);
  EXPECT_EQ(Rounded(INFINITY), nullptr);
  EXPECT_EQ(Rounded(-INFINITY), nullptr);
}

TEST(DetailJson, HasTheCommandThatJudgesItAgain) {
  Evaluation e;
  e.candidate.name = "softmax.cu";
  e.problem_id = "level1/23";
  e.policy.name = "strict";
  e.device.device = "cuda:0";
  e.precision = record::Precision::kBf16;
  EXPECT_EQ(DetailOf(e)["command"],
            "kernelbench eval softmax.cu --problem level1/23 --precision bf16 "
            "--policy strict --size full --device cuda:0");
}

TEST(DetailJson, ANameCannotAddToTheCommand) {
  Evaluation e;
  e.candidate.name = "-x'; rm a";
  e.problem_id = "$(b)";
  const auto command = DetailOf(e)["command"].get<std::string>();
  EXPECT_TRUE(Has(command, "eval './-x'\\''; rm a' --problem '$(b)' "))
      << command;
}

TEST(DetailJson, WhatIsNotKnownIsNotThereOrSaidSo) {
  const Json json = DetailOf(Evaluation());
  for (const char* key : {"mismatch", "speedup", "wall", "ruler", "measured"})
    EXPECT_FALSE(json.contains(key)) << key;
  const std::string origin = base::DumpJson(json["origin"]);
  for (const char* part :
       {R"(["Model","not recorded"])", R"(["Sample","not recorded"])",
        R"(["Price of the answer","not recorded"])"})
    EXPECT_TRUE(Has(origin, part)) << origin;
}

TEST(DetailJson, FirstSampleAndAFreeAnswerAreKnown) {
  BookSample sample;
  sample.outcome.sample = 0;
  sample.outcome.usd = 0;
  const std::string origin =
      base::DumpJson(DetailJson(BookRun(), sample, Evaluation())["origin"]);
  EXPECT_TRUE(Has(origin, R"(["Sample","0"])")) << origin;
  EXPECT_TRUE(Has(origin, R"(["Price of the answer","0 USD"])")) << origin;
}

TEST(DetailJson, TrialsAreAListPerQuantityWithoutUntimedOnes) {
  Evaluation e;
  e.trials.resize(2);
  AddTrial(20, 10, true, &e);
  AddTrial(21, 10.123456, false, &e);
  EXPECT_EQ(DetailOf(e)["trials"], Json({{"untimed", 2},
                                         {"counts", "10"},
                                         {"candidate", {10.0, 10.123}},
                                         {"reference", {20.0, 21.0}}}));
}

TEST(DetailJson, SideThatNoTrialHasIsLeftOut) {
  Evaluation e;
  AddTrial(0, 10, true, &e);
  EXPECT_FALSE(DetailOf(e)["trials"].contains("reference"));
  AddTrial(20, 10, true, &e);
  EXPECT_EQ(DetailOf(e)["trials"]["reference"], Json::array({0.0, 20.0}));
}

TEST(DetailJson, TimesThatAreNoNumbersAreNull) {
  Evaluation e;
  AddTrial(std::nan(""), INFINITY, true, &e);
  const Json trials = DetailOf(e)["trials"];
  EXPECT_EQ(trials["candidate"], Json::array({nullptr}));
  EXPECT_EQ(trials["reference"], Json::array({nullptr}));
}

TEST(DetailJson, TextsAreOfBoundedLengthAndVisible) {
  Evaluation e;
  e.reason = "a\u202e" + std::string(1 << 20, 'r');
  e.log = std::string(1 << 20, 'l');
  e.notes.assign(1000, std::string(10'000, 'n'));
  for (int i = 0; i < 10'000; ++i) AddTrial(20, 10, true, &e);
  const Json json = DetailOf(e);
  EXPECT_TRUE(Has(json["reason"], "a<U+202E>"));
  EXPECT_LT(base::DumpJson(json).size(), 200'000U);
  const Json& trials = json["trials"];
  EXPECT_EQ(trials["counts"].get<std::string>().size(),
            trials["candidate"].size());
}

TEST(ProblemJson, CostIsThereIfItIsKnown) {
  BookProblem problem;
  EXPECT_EQ(ProblemJson(problem), Json({{"tags", Json::array()},
                                        {"flags", Json::array()},
                                        {"baselines", Json::array()}}));
  problem.cost.emplace().flops = 123456;
  EXPECT_EQ(ProblemJson(problem)["flops"], 123460.0);
  EXPECT_EQ(ProblemJson(problem)["bytes"], 0);
}

TEST(ProblemJson, BaselineThatFailedHasAReasonAndNoTime) {
  BookProblem problem;
  problem.baselines.resize(2);
  problem.baselines[0].reason = "out of memory";
  problem.baselines[1].time = {.count = 6, .median = 12.3456789};
  const Json baselines = ProblemJson(problem)["baselines"];
  EXPECT_EQ(baselines[0]["reason"], "out of memory");
  EXPECT_EQ(baselines[0]["device"], "not recorded");
  EXPECT_FALSE(baselines[0].contains("median"));
  EXPECT_EQ(baselines[1]["median"], 12.346);
  EXPECT_EQ(baselines[1]["count"], 6);
}

}  // namespace
}  // namespace kb::report
