#include "run/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/mutex.h"
#include "os/files.h"

namespace kb::run {
namespace {

using record::Evaluation;
using record::Generation;
using record::GenerationStatus;
using record::Verdict;
using Words = std::vector<std::string>;

constexpr const char* kCode = "```python\nclass ModelNew:\n    pass\n```\n";

// Answers every question, and remembers it.
class FakeModel : public llm::Provider {
 public:
  tl::expected<llm::Reply, llm::Failure> Ask(
      const llm::Question& question,
      const std::function<void(const std::string&)>& on_step,
      std::stop_token /*stop*/) override {
    const base::MutexLock lock(&mutex);
    asked.push_back(fmt::format("{} {}", question.problem_id, question.sample));
    on_step("waiting");
    if (when_asked) when_asked();
    const auto failure = failures.find(question.sample);
    if (failure != failures.end()) return tl::unexpected(failure->second);
    llm::Reply reply;
    reply.text = without_code.contains(question.sample) ? "I cannot." : code;
    reply.usd = usd;
    if (tokens) reply.usage = record::Usage{*tokens, 0, 0, 0};
    return reply;
  }

  base::Mutex mutex;
  Words asked;
  std::string code = kCode;
  std::optional<double> usd;  // of an answer
  std::optional<int64_t> tokens;
  std::function<void()> when_asked;
  std::map<int64_t, llm::Failure> failures;  // by sample
  std::set<int64_t> without_code;
};

// Writes down what it is told.
class Diary : public RunObserver {
 public:
  void OnKnownAnswer(const Generation& answer) override {
    told.push_back(fmt::format("known answer {}", answer.sample));
  }
  void OnKnownVerdict(const record::Outcome& outcome) override {
    told.push_back(fmt::format("known verdict {}", outcome.sample));
  }
  void OnAsking(size_t /*index*/, const std::string& /*step*/) override {}
  void OnJudging(size_t /*index*/, const std::string& /*step*/) override {}
  void OnAnswer(size_t index, const Generation& answer) override {
    told.push_back(fmt::format("answer {} {}", index,
                               record::GenerationStatusName(answer.status)));
  }
  void OnVerdict(size_t index, const Evaluation& evaluation) override {
    told.push_back(fmt::format("verdict {} {}", index,
                               record::VerdictName(*evaluation.verdict)));
  }
  void OnUnanswered(size_t index, const std::string& why) override {
    told.push_back(fmt::format("open {} {}", index, why));
  }
  void OnNotice(const std::string& text) override { told.push_back(text); }

  bool WasTold(const std::string& what) const {
    return std::ranges::find(told, what) != told.end();
  }

  Words told;
};

class RunTest : public testing::Test {
 protected:
  RunTest() {
    model_.name = "a-model";
    model_.concurrency = 1;
    prompt::PromptOptions options;
    options.folder = KB_SOURCE_DIR "/share/prompts";
    auto writer = prompt::Writer::Create(options);
    EXPECT_TRUE(writer) << writer.error().message();
    writers_.emplace(record::Precision::kFp32, std::move(*writer));
    auto folder = os::TempDir::Create("run-test");
    EXPECT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    plan_.asking.model = &model_;
    plan_.asking.provider = &provider_;
    plan_.asking.writers = &writers_;
    plan_.manifest = {{"model", "a-model"}};
    record::Problem problem;
    problem.id = "level1/19";
    problem.source = "class Model:\n  pass\n";
    problem_ = std::make_shared<const record::Problem>(problem);
    for (size_t i = 0; i < 3; ++i)
      plan_.samples.push_back({i, problem_, static_cast<int64_t>(i)});
  }

  // Judges as `verdicts_` says, by sample; else correct.
  void Judged() {
    plan_.judging.emplace();
    plan_.judging->judge = [this](eval::TaskQueue* queue,
                                  eval::Observer* observer,
                                  const std::stop_token& stop) {
      while (const auto taken = queue->Take(stop)) {
        const auto& [index, task] = *taken;
        judged_.push_back(task.sample);
        const auto verdict = verdicts_.find(task.sample);
        observer->OnDone(index, EvaluationOf(task, verdict == verdicts_.end()
                                                       ? Verdict::kCorrect
                                                       : verdict->second));
      }
      return judging_ends_with_;
    };
  }

  static Evaluation EvaluationOf(const eval::Task& task, Verdict verdict) {
    Evaluation evaluation;
    evaluation.candidate = task.candidate;
    evaluation.problem_id = task.problem.id;
    evaluation.problem_hash = task.problem.Hash();
    evaluation.size = task.problem.size;
    evaluation.model = task.model;
    evaluation.sample = task.sample;
    evaluation.verdict = verdict;
    return evaluation;
  }

  base::Result<RunResult> Run() {
    auto store = store::Store::Open(folder_->path() + "/run.db");
    EXPECT_TRUE(store) << store.error().message();
    diary_.told.clear();
    provider_.asked.clear();
    judged_.clear();
    return run::Run(plan_, &*store, &diary_, {});
  }

  std::optional<os::TempDir> folder_;
  std::map<record::Precision, prompt::Writer> writers_;
  std::shared_ptr<const record::Problem> problem_;
  llm::Model model_;
  FakeModel provider_;
  Diary diary_;
  RunPlan plan_;
  std::map<int64_t, Verdict> verdicts_;
  std::vector<int64_t> judged_;
  base::Result<void> judging_ends_with_ = base::Ok();
};

TEST_F(RunTest, EverySampleIsAskedForAndJudged) {
  Judged();
  verdicts_[1] = Verdict::kIncorrect;
  const auto result = Run();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(provider_.asked,
            (Words{"level1/19 0", "level1/19 1", "level1/19 2"}));
  EXPECT_EQ(judged_, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_TRUE(diary_.WasTold("answer 1 complete"));
  EXPECT_TRUE(diary_.WasTold("verdict 1 incorrect"));
  EXPECT_EQ(result->asking.answered, 3);
  EXPECT_EQ(result->evaluations.size(), 3U);
  EXPECT_FALSE(result->not_kept);
}

TEST_F(RunTest, TheSameCallDoesNothingTwice) {
  Judged();
  ASSERT_TRUE(Run());
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_TRUE(provider_.asked.empty());
  EXPECT_TRUE(judged_.empty());
  EXPECT_TRUE(diary_.WasTold("known answer 2"));
  EXPECT_TRUE(diary_.WasTold("known verdict 2"));
  EXPECT_TRUE(result->evaluations.empty());
}

// Each is one verdict over all sizes, under the hash of all, so that the next
// call knows it.
TEST_F(RunTest, SamplesAreJudgedAtEverySizeAndOnce) {
  record::Problem wide = *problem_;
  wide.size = *record::ParseSize("wide");
  wide.source = "class Model:\n  wide = 1\n";
  const auto further = std::make_shared<const FurtherSizes>(
      FurtherSizes{*record::ParseSize("full,wide"), {wide}});
  for (Wanted& wanted : plan_.samples) wanted.further = further;
  Judged();
  verdicts_[1] = Verdict::kIncorrect;
  const auto result = Run();
  ASSERT_TRUE(result) << result.error().message();
  std::ranges::sort(judged_);
  EXPECT_EQ(judged_, (std::vector<int64_t>{0, 0, 1, 2, 2}));
  ASSERT_EQ(result->evaluations.size(), 3U);
  for (const Evaluation& evaluation : result->evaluations) {
    EXPECT_EQ(evaluation.problem_hash, plan_.samples[0].Hash());
    EXPECT_NE(evaluation.problem_hash, problem_->Hash());
    EXPECT_EQ(evaluation.size, further->several);
  }
  ASSERT_TRUE(Run());
  EXPECT_TRUE(judged_.empty());
  EXPECT_TRUE(provider_.asked.empty());
  EXPECT_TRUE(diary_.WasTold("known verdict 1"));
}

// Or more would be done than there is to do.
TEST_F(RunTest, NobodyIsToldOfSamplesThatAreNotWantedAnyMore) {
  Judged();
  ASSERT_TRUE(Run());
  plan_.samples.resize(1);
  ASSERT_TRUE(Run());
  EXPECT_EQ(diary_.told, (Words{"known verdict 0", "known answer 0"}));
}

TEST_F(RunTest, AnswersOfARunThatOnlyAskedAreJudgedLater) {
  ASSERT_TRUE(Run());
  EXPECT_EQ(provider_.asked.size(), 3U);
  Judged();
  ASSERT_TRUE(Run());
  EXPECT_TRUE(provider_.asked.empty());
  EXPECT_EQ(judged_, (std::vector<int64_t>{0, 1, 2}));
}

TEST_F(RunTest, EachModelsAnswerIsJudgedWhereAStoreHasSeveral) {
  plan_.manifest.clear();
  ASSERT_TRUE(Run());
  model_.name = "b-model";
  provider_.code = "```python\nclass ModelNew:\n    b = 1\n```\n";
  ASSERT_TRUE(Run());
  Judged();
  const auto result = Run();
  ASSERT_TRUE(result);
  ASSERT_EQ(result->evaluations.size(), 3U);
  for (const Evaluation& evaluation : result->evaluations) {
    EXPECT_EQ(evaluation.model, "b-model");
    EXPECT_NE(evaluation.candidate.source.find("b = 1"), std::string::npos);
  }
}

TEST_F(RunTest, OurOwnFailureIsJudgedAgain) {
  Judged();
  verdicts_[1] = Verdict::kInfraError;
  ASSERT_TRUE(Run());
  verdicts_.clear();
  ASSERT_TRUE(Run());
  EXPECT_EQ(judged_, std::vector<int64_t>{1});
}

TEST_F(RunTest, AnswerWithoutCodeIsKeptAndNotJudged) {
  Judged();
  provider_.without_code = {0};
  ASSERT_TRUE(Run());
  EXPECT_EQ(judged_, (std::vector<int64_t>{1, 2}));
  EXPECT_TRUE(diary_.WasTold("answer 0 no_code"));
  ASSERT_TRUE(Run());
  EXPECT_TRUE(provider_.asked.empty());
}

TEST_F(RunTest, QuestionWithoutAnAnswerIsAskedAgainByTheNextCall) {
  provider_.failures[1] = {llm::Failure::Kind::kUnavailable, "503"};
  const auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->asking.open, 1);
  EXPECT_TRUE(diary_.WasTold("open 1 503"));
  provider_.failures.clear();
  ASSERT_TRUE(Run());
  EXPECT_EQ(provider_.asked, Words{"level1/19 1"});
}

TEST_F(RunTest, WhatIsAskedForAndHowFarItCameIsKept) {
  const record::Request request{"level1/19", problem_->Hash(), "a-model"};
  plan_.requests = {request};
  const auto progress = [&] {
    auto store = store::Store::Open(folder_->path() + "/run.db");
    EXPECT_EQ(*store->Requests(), plan_.requests);
    return **store->LastProgress();
  };
  provider_.when_asked = [&] {
    EXPECT_EQ(progress(), record::Progress::kRunning);
  };
  ASSERT_TRUE(Run());
  EXPECT_EQ(progress(), record::Progress::kDone);
  plan_.samples.push_back({3, problem_, 3});
  plan_.asking.budget.usd = 0;
  ASSERT_TRUE(Run());
  EXPECT_EQ(progress(), record::Progress::kBudget);
  plan_.asking.budget.usd.reset();
  provider_.failures[3] = {llm::Failure::Kind::kFatal, "401"};
  ASSERT_TRUE(Run());
  EXPECT_EQ(progress(), record::Progress::kStopped);
}

// Also while many are asked at a time.
TEST_F(RunTest, LaterCallKnowsWhatAnAnswerCosts) {
  model_.concurrency = 3;
  provider_.usd = 1;
  provider_.tokens = 100;
  ASSERT_TRUE(Run());
  for (int64_t sample = 3; sample < 9; ++sample)
    plan_.samples.push_back({static_cast<size_t>(sample), problem_, sample});
  plan_.asking.budget.usd = 3.5;
  auto result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->asking.answered, 0);
  EXPECT_EQ(result->asking.budget_reached, std::string("--max-cost"));
  plan_.asking.budget.usd = 5.5;
  result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->asking.answered, 2);
  plan_.asking.budget = {};
  plan_.asking.budget.tokens = 550;
  result = Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->asking.answered, 0);
  EXPECT_EQ(result->asking.budget_reached, std::string("--max-run-tokens"));
}

TEST_F(RunTest, RunThatWasBegunDifferentlyAsksNothing) {
  ASSERT_TRUE(Run());
  plan_.manifest["model"] = "another";
  plan_.samples.push_back({3, problem_, 3});
  const auto result = Run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), base::Error::Kind::kUsage);
  EXPECT_TRUE(provider_.asked.empty());
}

TEST_F(RunTest, JudgingThatFailsEndsTheRunAndLosesNoAnswer) {
  Judged();
  judging_ends_with_ = base::Fail("{}", "no lane could be started");
  const auto result = Run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "no lane could be started");
  judging_ends_with_ = base::Ok();
  ASSERT_TRUE(Run());
  EXPECT_TRUE(provider_.asked.empty());
}

// Files cannot grow while it lives, as on a full disk.
class FullDisk {
 public:
  FullDisk() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(RunTest, StoreThatCannotBeWrittenIsNoOtherRun) {
  auto store = store::Store::Open(folder_->path() + "/run.db");
  ASSERT_TRUE(store) << store.error().message();
  plan_.manifest["model"] = std::string(100000, 'x');
  std::optional<FullDisk> full;
  full.emplace();
  const auto result = run::Run(plan_, &*store, &diary_, {});
  full.reset();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), base::Error::Kind::kFailure);
  EXPECT_EQ(result.error().message().find("begun differently"),
            std::string::npos)
      << result.error().message();
}

TEST_F(RunTest, AnswerThatCannotBeKeptEndsTheRun) {
  auto store = store::Store::Open(folder_->path() + "/run.db");
  ASSERT_TRUE(store) << store.error().message();
  ASSERT_TRUE(store->AddToManifest(plan_.manifest));
  std::optional<FullDisk> full;
  provider_.when_asked = [&] { full.emplace(); };
  const auto result = run::Run(plan_, &*store, &diary_, {});
  full.reset();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(result->not_kept);
  EXPECT_EQ(provider_.asked.size(), 1U);
  EXPECT_TRUE(diary_.told.empty()) << "nothing is shown that is not kept";
}

TEST_F(RunTest, VerdictThatCannotBeKeptIsNotShown) {
  ASSERT_TRUE(Run());
  auto store = store::Store::Open(folder_->path() + "/run.db");
  ASSERT_TRUE(store) << store.error().message();
  diary_.told.clear();
  std::optional<FullDisk> full;
  plan_.judging.emplace();
  plan_.judging->judge = [&](eval::TaskQueue* queue, eval::Observer* observer,
                             const std::stop_token& stop) {
    full.emplace();
    while (const auto taken = queue->Take(stop))
      observer->OnDone(taken->first,
                       EvaluationOf(taken->second, Verdict::kCorrect));
    return base::Result<void>(base::Ok());
  };
  const auto result = run::Run(plan_, &*store, &diary_, {});
  full.reset();
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(result->not_kept);
  EXPECT_TRUE(result->evaluations.empty());
  EXPECT_FALSE(diary_.WasTold("verdict 0 correct"));
}

}  // namespace
}  // namespace kb::run
