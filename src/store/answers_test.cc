#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "store/store.h"

namespace kb::store {
namespace {

using record::Baseline;
using record::BaselineMode;
using record::Generation;

class AnswersTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (std::filesystem::temp_directory_path() / "kb-answers-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    auto store = Store::Open(folder_ + "/run.db");
    ASSERT_TRUE(store) << store.error().message();
    store_.emplace(std::move(*store));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  std::optional<Store> store_;
};

Generation SomeGeneration() {
  Generation g;
  g.problem_id = "level1/23";
  g.problem_hash = "abc";
  g.sample = 3;
  g.turn = 4;
  g.model = "tiny";
  g.served_model = "tiny-2026";
  g.prompt = "write a kernel";
  g.answer = "```cuda\nint x;\n```";
  g.reasoning = "hmm";
  g.state = R"([{"type":"thinking","signature":"x"}])";
  g.history = record::History{"best-and-last", {1, 3}, {2}};
  g.shown.emplace().push_back({"ab12", "other", "level1/7", 2, 5});
  g.status = record::GenerationStatus::kComplete;
  g.candidate_name = "answer.cu";
  g.source = "int x;";
  g.usage = {100, 40, 20, 5};
  g.usd = 0.0125;
  g.seconds = 1.5;
  g.attempts = 2;
  g.started_at = "2026-01-02T03:04:05Z";
  return g;
}

Baseline SomeBaseline(BaselineMode mode, double median) {
  Baseline b;
  b.problem_id = "level1/23";
  b.problem_hash = "abc";
  b.size = record::Size::kSmall;
  b.precision = record::Precision::kBf16;
  b.device = {"cuda:0", "NVIDIA H200", "580", "2.11", "sm_90"};
  b.tf32 = "cudnn";
  b.mode = mode;
  b.time = record::TimeSummary{9, median, 2, 3, 4, 5, 6, 7};
  b.eager = record::TimeSummary{9, 30, 2, 3, 4, 5, 6, 7};
  b.speedup = record::Interval{1.5, 1.25, 1.75};
  b.reason = "remark";
  b.compile_seconds = 12.5;
  b.measured_at = "2026-01-02T03:04:05Z";
  return b;
}

TEST_F(AnswersTest, GenerationIsReadBackInEveryField) {
  ASSERT_TRUE(store_->Append(SomeGeneration()));
  const auto read = store_->Generations();
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front(), SomeGeneration());
}

record::Request SomeRequest(int64_t samples) {
  return {"level1/23",
          "abc",
          "tiny",
          record::Size::kSmall,
          record::Precision::kBf16,
          samples};
}

TEST_F(AnswersTest, RequestWithTheMostSamplesCounts) {
  record::Request other = SomeRequest(2);
  other.precision = record::Precision::kFp32;
  ASSERT_TRUE(store_->AddRequests({SomeRequest(4), other}));
  ASSERT_TRUE(store_->AddRequests({SomeRequest(4), SomeRequest(8)}));
  ASSERT_TRUE(store_->AddRequests({SomeRequest(1)}));
  const auto read = store_->Requests();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, (std::vector{SomeRequest(8), other}));
}

TEST_F(AnswersTest, NewestProgressCounts) {
  EXPECT_EQ(*store_->LastProgress(), std::nullopt);
  for (const auto progress :
       {record::Progress::kRunning, record::Progress::kBudget}) {
    ASSERT_TRUE(store_->AddProgress(progress));
    EXPECT_EQ(*store_->LastProgress(), progress);
  }
}

TEST_F(AnswersTest, SampleIsKeptOnce) {
  ASSERT_TRUE(store_->Append(SomeGeneration()));
  EXPECT_FALSE(store_->Append(SomeGeneration()));
  Generation other = SomeGeneration();
  other.sample = 4;
  EXPECT_TRUE(store_->Append(other));
  EXPECT_EQ(store_->Generations()->size(), 2u);
}

TEST_F(AnswersTest, GenerationsAreFoundByProblemAndSample) {
  Generation other = SomeGeneration();
  other.sample = 4;
  other.usd.reset();
  ASSERT_TRUE(store_->Append(SomeGeneration()) && store_->Append(other));
  GenerationFilter filter;
  filter.problem_id = "level1/23";
  filter.sample = 4;
  ASSERT_EQ(store_->Generations(filter)->size(), 1u);
  EXPECT_EQ(store_->Generations(filter)->front(), other);
  filter.problem_id = "level1/24";
  EXPECT_TRUE(store_->Generations(filter)->empty());
  filter = {};
  filter.with_texts = false;
  EXPECT_EQ(store_->Generations(filter)->front().answer, "");
  EXPECT_EQ(store_->Generations(filter)->front().usage.cached, 40);
}

TEST_F(AnswersTest, GenerationsAreFoundByModel) {
  Generation other = SomeGeneration();
  other.model = "another";
  ASSERT_TRUE(store_->Append(SomeGeneration()) && store_->Append(other));
  GenerationFilter filter;
  filter.model = "another";
  filter.problem_id = "level1/23";
  filter.sample = 3;
  filter.turn = 4;
  EXPECT_EQ(*store_->Generations(filter), std::vector{other});
}

TEST_F(AnswersTest, EveryTurnIsKeptOnceAndHasItsOwnCost) {
  for (const int64_t turn : {1, 2}) {
    Generation g = SomeGeneration();
    g.turn = turn;
    g.usd = 0.5 * static_cast<double>(turn);
    ASSERT_TRUE(store_->Append(g));
    EXPECT_FALSE(store_->Append(g));
    record::Evaluation evaluation;
    evaluation.problem_id = g.problem_id;
    evaluation.problem_hash = g.problem_hash;
    evaluation.model = g.model;
    evaluation.sample = g.sample;
    evaluation.turn = turn;
    evaluation.confirms = turn == 2;
    ASSERT_TRUE(store_->Append(evaluation));
  }
  GenerationFilter second;
  second.turn = 2;
  ASSERT_EQ(store_->Generations(second)->size(), 1u);
  EXPECT_EQ(store_->Generations(second)->front().usd, 1);
  const auto outcomes = store_->Outcomes();
  ASSERT_EQ(outcomes->size(), 2u);
  EXPECT_EQ(outcomes->at(0).usd, 0.5);
  EXPECT_EQ(outcomes->at(1).usd, 1);
  EXPECT_EQ(outcomes->at(1).turn, 2);
  EXPECT_TRUE(outcomes->at(1).confirms);
  Filter of_sample;
  of_sample.problem_id = "level1/23";
  of_sample.sample = 3;
  EXPECT_EQ(store_->Evaluations(of_sample)->size(), 2u);
  of_sample.sample = 2;
  EXPECT_TRUE(store_->Evaluations(of_sample)->empty());
}

TEST_F(AnswersTest, AnswerWithoutACandidateIsAnOutcome) {
  Generation truncated = SomeGeneration();
  truncated.status = record::GenerationStatus::kTruncated;
  truncated.reason = "ends within the code";
  ASSERT_TRUE(store_->Append(truncated));
  Generation complete = SomeGeneration();
  complete.sample = 4;
  ASSERT_TRUE(store_->Append(complete));
  record::Evaluation evaluation;
  evaluation.problem_id = "level1/23";
  evaluation.problem_hash = "abc";
  evaluation.model = "tiny";
  evaluation.sample = 4;
  evaluation.turn = 4;
  evaluation.candidate_time = record::TimeSummary{9, 12, 2, 3, 4, 5, 6, 7};
  ASSERT_TRUE(store_->Append(evaluation));
  const auto outcomes = store_->Outcomes();
  ASSERT_TRUE(outcomes) << outcomes.error().message();
  ASSERT_EQ(outcomes->size(), 2u);
  const record::Outcome& judged = outcomes->front();
  EXPECT_GT(judged.id, 0);
  EXPECT_EQ(judged.model, "tiny");
  EXPECT_EQ(judged.sample, 4);
  EXPECT_EQ(judged.candidate_us, 12);
  EXPECT_EQ(judged.usd, 0.0125);
  EXPECT_FALSE(judged.unusable);
  const record::Outcome& unusable = outcomes->back();
  EXPECT_EQ(unusable.unusable, record::GenerationStatus::kTruncated);
  EXPECT_EQ(unusable.reason, "ends within the code");
  EXPECT_EQ(unusable.sample, 3);
  Filter one;
  one.id = judged.id;
  ASSERT_EQ(store_->Evaluations(one)->size(), 1u);
  EXPECT_EQ(store_->Evaluations(one)->front().sample, 4);
  one.id = judged.id + 1;
  EXPECT_TRUE(store_->Evaluations(one)->empty());
}

TEST_F(AnswersTest, NewestBaselineOfAKeyCounts) {
  ASSERT_TRUE(store_->Append(SomeBaseline(BaselineMode::kCompile, 20)));
  ASSERT_TRUE(store_->Append(SomeBaseline(BaselineMode::kEager, 30)));
  ASSERT_TRUE(store_->Append(SomeBaseline(BaselineMode::kCompile, 10)));
  const auto read = store_->Baselines();
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ(record::ToJson(read->front()),
            record::ToJson(SomeBaseline(BaselineMode::kCompile, 10)));
  EXPECT_EQ(read->back().mode, BaselineMode::kEager);
}

TEST_F(AnswersTest, BaselineThatDoesNotWorkHasNoTimes) {
  Baseline failed = SomeBaseline(BaselineMode::kMaxAutotune, 1);
  failed.time.reset();
  failed.eager.reset();
  ASSERT_TRUE(store_->Append(failed));
  EXPECT_FALSE(store_->Baselines()->front().time);
  EXPECT_EQ(store_->Baselines()->front().reason, "remark");
}

TEST_F(AnswersTest, DecisionsComeBackInTheirOrder) {
  record::Decision asked;
  asked.model = "tiny";
  asked.problem_id = "level1/19";
  asked.problem_hash = "abc";
  asked.sample = 2;
  asked.ask = record::Ask{3, record::AskKind::kMutation, {1}, "island 2"};
  record::Decision told = asked;
  told.ask.reset();
  told.told.emplace().turn = 3;
  told.told->verdict = record::Verdict::kCorrect;
  told.told->speedup = 1.0 / 3;
  ASSERT_TRUE(store_->AddDecisions({asked, told}));
  ASSERT_TRUE(store_->AddDecisions({asked}));
  EXPECT_TRUE(store_->Decisions("level7/7")->empty());
  EXPECT_EQ(store_->Decisions(asked.problem_id)->size(), 3U);
  const auto read = store_->Decisions();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, (std::vector{asked, told, asked}));
}

TEST_F(AnswersTest, ManifestRefusesAnotherValue) {
  ASSERT_TRUE(store_->AddToManifest({{"model", "a"}, {"prompt", "b"}}));
  ASSERT_TRUE(store_->AddToManifest({{"model", "a"}}));
  const auto refused = store_->AddToManifest({{"new", "1"}, {"prompt", "c"}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("prompt is b there, not c"),
            std::string::npos);
  EXPECT_EQ(store_->Manifest()->size(), 2u);
}

// A policy has some twenty members.
TEST_F(AnswersTest, ManifestTellsWhichMembersDiffer) {
  ASSERT_TRUE(store_->AddToManifest(
      {{"policy", R"({"a":1,"b":true,"c":[2],"name":"x","same":0})"}}));
  const auto refused = store_->AddToManifest(
      {{"policy", R"({"a":2,"b":false,"d":"e","name":"y","same":0})"}});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message().ends_with(
      ": policy: name is x there, not y, a is 1 there, not 2, b is true there, "
      "not false and 2 more"))
      << refused.error().message();
}

}  // namespace
}  // namespace kb::store
