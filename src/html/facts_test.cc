#include "html/facts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace kb::html {
namespace {

using record::Evaluation;
using record::Mismatch;

// Names are unique within a list of facts.
std::map<std::string, std::string> MapOf(const FactList& facts) {
  std::map<std::string, std::string> map(facts.begin(), facts.end());
  EXPECT_EQ(map.size(), facts.size());
  return map;
}

Mismatch Wrong(int64_t wrong, int64_t elements) {
  Mismatch mismatch;
  mismatch.wrong = wrong;
  mismatch.elements = elements;
  return mismatch;
}

TEST(AddFact, LeavesOutWhatHasNoValueAndHidesNothing) {
  FactList facts;
  AddFact("none", "", &facts);
  AddFact("some", "a\nb\x1b", &facts);
  EXPECT_EQ(facts, (FactList{{"some", "a b<U+001B>"}}));
}

TEST(MismatchSummary, SaysHowManyOfHowMany) {
  Mismatch mismatch = Wrong(3, 4096);
  EXPECT_EQ(MismatchSummary(mismatch),
            "Output 0: 3 of 4,096 elements (0.0732 %) lie outside the "
            "tolerance.");
  mismatch = Wrong(4096, 4096);
  mismatch.output = 2;
  EXPECT_EQ(MismatchSummary(mismatch),
            "Output 2: 4,096 of 4,096 elements (100 %) lie outside the "
            "tolerance.");
}

TEST(MismatchSummary, AllAreAHundredPerCentAndFewerAreNot) {
  EXPECT_NE(MismatchSummary(Wrong(100000, 100000)).find("(100 %)"),
            std::string::npos);
  EXPECT_NE(MismatchSummary(Wrong(99999, 100000)).find("(99.9 %)"),
            std::string::npos);
}

TEST(MismatchSummary, NoElementsHaveNoShare) {
  EXPECT_EQ(MismatchSummary(Wrong(0, 0)),
            "Output 0: 0 of 0 elements lie outside the tolerance.");
}

TEST(MismatchSummary, WrongStructureIsAllThatIsSaid) {
  Mismatch mismatch = Wrong(3, 4096);
  mismatch.output = 1;
  mismatch.structure = "shape [2]\nis not [3]";
  EXPECT_EQ(MismatchSummary(mismatch), "Output 1: shape [2] is not [3]");
}

TEST(MismatchFacts, ErrorsHaveNineDigitsAndTheSeedAll) {
  Evaluation e;
  e.tolerance = {1e-4, 0.01};
  e.mismatch = Wrong(3, 4096);
  e.mismatch->max_abs_error = 1.0 / 3;
  e.mismatch->max_rel_error = INFINITY;
  e.mismatch->seed = 18446744073709551615U;
  const auto facts = MapOf(MismatchFacts(e));
  EXPECT_EQ(facts.at("Largest absolute error"), "0.333333333");
  EXPECT_EQ(facts.at("Largest relative error"), "inf");
  EXPECT_EQ(facts.at("Seed to reproduce it"), "18446744073709551615");
  EXPECT_EQ(facts.at("Tolerance"), "atol 0.0001, rtol 0.01");
  EXPECT_EQ(facts.size(), 4U) << "nothing of what was not found";
}

TEST(MismatchFacts, NameWhatIsWorseThanWrong) {
  Evaluation e;
  e.mismatch = Wrong(5000, 5000);
  e.mismatch->nonfinite = 1000;
  e.mismatch->unwritten = 4000;
  e.mismatch->pattern = "last tile of dimension 1";
  const auto facts = MapOf(MismatchFacts(e));
  EXPECT_EQ(facts.at("NaN or infinite where it must not be"), "1,000");
  EXPECT_EQ(facts.at("Never written"), "4,000");
  EXPECT_EQ(facts.at("Pattern"), "last tile of dimension 1");
}

TEST(MismatchFacts, WrongStructureHasNoErrors) {
  Mismatch mismatch;
  mismatch.structure = "one output is missing";
  Evaluation e;
  e.mismatch = mismatch;
  const auto facts = MapOf(MismatchFacts(e));
  EXPECT_FALSE(facts.contains("Largest absolute error"));
  EXPECT_FALSE(facts.contains("Largest relative error"));
}

TEST(NamedTimes, AreThoseThatThereAreInTheOrderOfATable) {
  Evaluation e;
  EXPECT_TRUE(NamedTimes(e).empty());
  e.reference_wall = {.median = 4};
  e.candidate_wall = {.median = 3};
  e.candidate_time = {.median = 1};
  const auto times = NamedTimes(e);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_STREQ(times[0].side, "candidate");
  EXPECT_EQ(times[0].time.median, 1);
  EXPECT_STREQ(times[1].side, "candidate, wall");
  EXPECT_EQ(times[1].time.median, 3);
  EXPECT_STREQ(times[2].side, "PyTorch, eager, wall");
  EXPECT_EQ(times[2].time.median, 4);
}

TEST(JudgingFacts, LeaveOutWhatIsNotKnown) {
  const auto facts = MapOf(JudgingFacts(Evaluation()));
  for (const char* name : {"Architecture", "Driver", "torch", "Isolation",
                           "Started", "File", "Build step of its own"})
    EXPECT_FALSE(facts.contains(name)) << name;
  EXPECT_EQ(facts.at("Policy"), "kernelbench");
}

TEST(JudgingFacts, SayHowItWasBuiltAndHowLongItTook) {
  Evaluation e;
  e.compile_seconds = 12.34;
  e.wall_seconds = 0.0005;
  EXPECT_EQ(MapOf(JudgingFacts(e)).at("Compiled in"), "12.3 s");
  EXPECT_EQ(MapOf(JudgingFacts(e)).at("Judged in"), "500 \u00b5s");
  e.compile_cached = true;
  e.candidate.builds_extension = true;
  const auto facts = MapOf(JudgingFacts(e));
  EXPECT_EQ(facts.at("Compiled in"), "12.3 s, from the cache");
  EXPECT_EQ(facts.at("Build step of its own"), "load_inline or load");
}

TEST(JudgingFacts, HashesAreShortAndPathsVisible) {
  Evaluation e;
  e.candidate.path = "a\u202eb.cu";
  e.candidate.source = "x";
  e.problem_hash = std::string(16, 'a') + std::string(48, 'b');
  const auto facts = MapOf(JudgingFacts(e));
  EXPECT_EQ(facts.at("File"), "a<U+202E>b.cu");
  EXPECT_EQ(facts.at("Problem hash"), std::string(16, 'a'));
  EXPECT_EQ(facts.at("Candidate hash"), e.candidate.Hash().substr(0, 16));
}

TEST(IndexOf, IsAListOfAnyLength) {
  EXPECT_EQ(IndexOf({.index = {3, 4064}}), "[3, 4064]");
  EXPECT_EQ(IndexOf({.index = {}}), "[]") << "of a number without dimensions";
}

TEST(Number, HasNineSignificantDigits) {
  EXPECT_EQ(Number(1234567890.0), "1.23456789e+09");
  EXPECT_EQ(Number(0.1), "0.1");
  EXPECT_EQ(Number(std::nan("")), "nan");
  EXPECT_EQ(Number(-INFINITY), "-inf");
}

}  // namespace
}  // namespace kb::html
