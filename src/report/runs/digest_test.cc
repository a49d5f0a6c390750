#include "digest.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

namespace kb::report {
namespace {

using record::GenerationStatus;
using record::Verdict;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

BookSample Sample(std::optional<Verdict> verdict,
                  std::optional<double> speedup = std::nullopt) {
  BookSample sample;
  sample.outcome.verdict = verdict;
  sample.outcome.speedup = speedup;
  return sample;
}

BookSample Unusable(GenerationStatus status) {
  BookSample sample;
  sample.outcome.unusable = status;
  return sample;
}

// One run on one problem.
Book BookOf(const std::vector<BookSample>& samples) {
  Book book;
  book.runs.resize(1);
  book.problems.resize(1);
  book.samples = samples;
  return book;
}

using Indexes = std::vector<size_t>;

TEST(Categories, EachHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const auto verdict : {Verdict::kCorrect, Verdict::kNotCertified,
                             Verdict::kTimeout, Verdict::kInfraError})
    names.insert(CategoryName(CategoryOf(Sample(verdict).outcome)));
  names.insert(CategoryName(CategoryOf(Sample(std::nullopt).outcome)));
  for (const auto status :
       {GenerationStatus::kTruncated, GenerationStatus::kNoCode,
        GenerationStatus::kRefused, GenerationStatus::kFailed}) {
    const size_t category = CategoryOf(Unusable(status).outcome);
    EXPECT_LT(category, kCategories);
    names.insert(CategoryName(category));
  }
  EXPECT_EQ(names, (std::set<std::string>{
                       "correct", "not certified", "timeout", "infra error",
                       "not run", "answer truncated", "answer without code",
                       "answer refused", "answer unusable"}));
}

TEST(Categories, AnswerWithoutCodeIsAFailureAndWhatDidNotRunIsNot) {
  const auto style = [](const BookSample& sample) {
    return std::string(CategoryStyle(CategoryOf(sample.outcome)));
  };
  EXPECT_EQ(style(Unusable(GenerationStatus::kNoCode)),
            style(Sample(Verdict::kCompileError)));
  EXPECT_NE(style(Sample(std::nullopt)), style(Sample(Verdict::kCompileError)));
}

TEST(SpeedupOf, IsOnlyWhatCanBeDrawn) {
  EXPECT_EQ(SpeedupOf(Sample(Verdict::kCorrect, 0.5)), 0.5);
  for (const double speedup :
       {0.0, -1.0, kNan, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(SpeedupOf(Sample(Verdict::kCorrect, speedup)), std::nullopt);
  EXPECT_EQ(SpeedupOf(Sample(Verdict::kCorrect)), std::nullopt);
}

TEST(Digest, ListsCorrectFirstThenFastThenInOrder) {
  const Book book =
      BookOf({Sample(std::nullopt), Sample(Verdict::kIncorrect),
              Sample(Verdict::kCorrect, 1.5), Sample(Verdict::kCorrect, kNan),
              Sample(Verdict::kCorrect, 3), Sample(Verdict::kCorrect, 1.5)});
  EXPECT_EQ(MakeDigest(book, 100).listed, (Indexes{4, 2, 5, 3, 1, 0}));
}

TEST(Digest, CountsWhatBecameOfEachProblem) {
  Book book = BookOf({Sample(Verdict::kCorrect, 2),
                      Sample(Verdict::kCorrect, 3), Sample(Verdict::kTimeout)});
  book.problems.resize(2);
  book.samples[2].problem = 1;
  const Digest digest = MakeDigest(book, 100);
  ASSERT_EQ(digest.tallies.size(), 2U);
  EXPECT_EQ(digest.tallies[0][0].samples, 2);
  EXPECT_EQ(digest.tallies[0][0].correct, 2);
  EXPECT_EQ(digest.tallies[0][0].best, 1U) << "the faster one";
  EXPECT_EQ(digest.tallies[0][0].categories.count(), 1U);
  EXPECT_EQ(digest.tallies[1][0].samples, 1);
  EXPECT_EQ(digest.tallies[1][0].correct, 0);
  EXPECT_EQ(digest.tallies[1][0].best, std::nullopt);
}

TEST(Digest, FewRowsKeepTheBestOfEachProblemAndThenOneOfEachVerdict) {
  Book book =
      BookOf({Sample(Verdict::kCorrect, 9), Sample(Verdict::kCorrect, 8),
              Sample(Verdict::kCorrect, 0.1), Sample(Verdict::kTimeout),
              Sample(Verdict::kTimeout)});
  book.problems.resize(2);
  book.samples[2].problem = 1;
  EXPECT_EQ(MakeDigest(book, 2).listed, (Indexes{0, 2}));
  EXPECT_EQ(MakeDigest(book, 3).listed, (Indexes{0, 2, 3}));
  EXPECT_EQ(MakeDigest(book, 0).listed, Indexes());
}

TEST(Digest, WhatIsThereInFullIsMoreImportantThanItsEquals) {
  Book book = BookOf({Sample(Verdict::kTimeout), Sample(Verdict::kTimeout),
                      Sample(Verdict::kTimeout)});
  book.details.resize(1);
  book.samples[2].detail = 0;
  EXPECT_EQ(MakeDigest(book, 100).important, (Indexes{0, 2, 1}));
}

TEST(Digest, OfAnEmptyBookIsEmpty) {
  const Digest digest = MakeDigest(Book(), 100);
  EXPECT_TRUE(digest.tallies.empty());
  EXPECT_TRUE(digest.listed.empty());
}

TEST(Digest, FindsRowsByRunAndGroupAndThresholdsExactly) {
  analysis::Scores scores;
  scores.rows.resize(2);
  scores.rows[0].run = scores.rows[1].run = "first";
  scores.rows[1].group = "level1";
  EXPECT_EQ(RowOf(scores, "first", ""), &scores.rows[0]);
  EXPECT_EQ(RowOf(scores, "first", "level1"), &scores.rows[1]);
  EXPECT_EQ(RowOf(scores, "second", ""), nullptr);
  analysis::ScoreOptions options;
  options.ps = {0, 1, 2};
  EXPECT_EQ(IndexOfP(options, 2), 2U);
  EXPECT_EQ(IndexOfP(options, 1.5), std::nullopt);
}

}  // namespace
}  // namespace kb::report
