#include "store/merge.h"

#include <gtest/gtest.h>

#include <optional>

#include "os/files.h"

namespace kb::store {
namespace {

record::Generation Answer(int64_t sample, const std::string& text) {
  record::Generation answer;
  answer.model = "tiny";
  answer.problem_id = "level1/19";
  answer.problem_hash = "abc";
  answer.sample = sample;
  answer.answer = text;
  return answer;
}

record::Evaluation Judged(int64_t sample, const std::string& started_at) {
  record::Evaluation evaluation;
  evaluation.problem_id = "level1/19";
  evaluation.model = "tiny";
  evaluation.sample = sample;
  evaluation.started_at = started_at;
  return evaluation;
}

class MergeTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-merge");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
  }

  NamedStore New(const std::string& name) const {
    auto store = Store::Open(folder_->path() + "/" + name);
    EXPECT_TRUE(store);
    return {name, std::move(*store)};
  }

  std::optional<os::TempDir> folder_;
};

TEST_F(MergeTest, WhatBothHoldIsThereOnce) {
  std::vector<NamedStore> runs;
  runs.push_back(New("a.db"));
  runs.push_back(New("b.db"));
  for (NamedStore& run : runs) {
    ASSERT_TRUE(run.store.Append(Answer(0, "the same")));
    ASSERT_TRUE(run.store.Append(Judged(0, "2026-01-01")));
  }
  ASSERT_TRUE(runs[0].store.Append(Judged(0, "2026-01-02")));
  ASSERT_TRUE(runs[1].store.Append(Answer(1, "another")));
  ASSERT_TRUE(runs[1].store.Append(Judged(1, "2026-01-03")));
  NamedStore merged = New("merged.db");
  const auto count = MergeInto(runs, &merged.store);
  ASSERT_TRUE(count) << count.error().message();
  EXPECT_EQ(count->samples, 3);
  EXPECT_EQ(count->twice, 1);
  EXPECT_EQ(merged.store.Evaluations()->size(), 3U);
  EXPECT_EQ(merged.store.Generations()->size(), 2U);
}

TEST_F(MergeTest, KeepsWhatWasAskedForAndWhatEndedEarliest) {
  std::vector<NamedStore> runs;
  runs.push_back(New("a.db"));
  runs.push_back(New("b.db"));
  record::Request request{"level1/19", "abc", "tiny"};
  for (NamedStore& run : runs) {
    request.samples += 2;
    ASSERT_TRUE(run.store.AddRequests({request}));
  }
  ASSERT_TRUE(runs[0].store.AddProgress(record::Progress::kBudget));
  ASSERT_TRUE(runs[1].store.AddProgress(record::Progress::kDone));
  NamedStore merged = New("merged.db");
  ASSERT_TRUE(MergeInto(runs, &merged.store));
  EXPECT_EQ(*merged.store.Requests(), std::vector{request});
  EXPECT_EQ(*merged.store.LastProgress(), record::Progress::kBudget);
}

TEST_F(MergeTest, KeepsWhereWhatWasAskedForWasToBeJudged) {
  std::vector<NamedStore> runs;
  runs.push_back(New("a.db"));
  runs.push_back(New("b.db"));
  record::Request request{"level1/19", "abc", "tiny"};
  request.samples = 2;
  std::vector<record::Request> asked;
  for (NamedStore& run : runs) {
    request.device_name += "NVIDIA H100";
    asked.push_back(request);
    ASSERT_TRUE(run.store.AddRequests({request}));
  }
  NamedStore merged = New("merged.db");
  ASSERT_TRUE(MergeInto(runs, &merged.store));
  EXPECT_EQ(*merged.store.Requests(), asked);
}

TEST_F(MergeTest, SearchThatCameFurtherIsKept) {
  std::vector<NamedStore> runs;
  runs.push_back(New("a.db"));
  runs.push_back(New("b.db"));
  record::Decision asked;
  asked.model = "tiny";
  asked.problem_id = "level1/19";
  asked.ask.emplace();
  record::Decision told = asked;
  told.ask.reset();
  told.told.emplace();
  ASSERT_TRUE(runs[0].store.AddDecisions({asked, told}));
  ASSERT_TRUE(runs[1].store.AddDecisions({asked}));
  NamedStore merged = New("merged.db");
  ASSERT_TRUE(MergeInto(runs, &merged.store));
  EXPECT_EQ(*merged.store.Decisions(), (std::vector{asked, told}));
}

TEST_F(MergeTest, TwoAnswersForOneSampleAreTwoRuns) {
  std::vector<NamedStore> runs;
  runs.push_back(New("a.db"));
  runs.push_back(New("b.db"));
  ASSERT_TRUE(runs[0].store.Append(Answer(3, "yes")));
  ASSERT_TRUE(runs[1].store.Append(Answer(3, "no")));
  NamedStore merged = New("merged.db");
  const auto count = MergeInto(runs, &merged.store);
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().kind(), base::Error::Kind::kUsage);
  for (const char* part : {"a.db", "b.db", "tiny", "sample 3", "level1/19"})
    EXPECT_NE(count.error().message().find(part), std::string::npos)
        << count.error().message();
}

TEST_F(MergeTest, SettingsAreThoseThatAllAgreeIn) {
  std::vector<NamedStore> runs;
  for (const char* name : {"a.db", "b.db", "judged.db"})
    runs.push_back(New(name));
  ASSERT_TRUE(runs[0].store.AddToManifest(
      {{"model", "tiny"}, {"device", "H100"}, {"backend", "cuda"}}));
  ASSERT_TRUE(
      runs[1].store.AddToManifest({{"model", "tiny"}, {"device", "H200"}}));
  NamedStore merged = New("merged.db");
  const auto count = MergeInto(runs, &merged.store);
  ASSERT_TRUE(count) << count.error().message();
  EXPECT_EQ(count->differing, std::set<std::string>{"device"});
  const auto settings = merged.store.Manifest();
  ASSERT_TRUE(settings);
  EXPECT_EQ(*settings, (std::map<std::string, std::string>{
                           {"model", "tiny"}, {"backend", "cuda"}}));
}

}  // namespace
}  // namespace kb::store
