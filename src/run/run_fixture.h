// What tests of runs share.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "os/files.h"
#include "run/run.h"

namespace kb::run {

// Hears nothing.
struct Silent : RunObserver {
  void OnKnownAnswer(const record::Generation&) override {}
  void OnKnownVerdict(const record::Outcome&) override {}
  void OnAsking(size_t, const std::string&) override {}
  void OnJudging(size_t, const std::string&) override {}
  void OnAnswer(size_t, const record::Generation&) override {}
  void OnVerdict(size_t, const record::Evaluation&) override {}
  void OnUnanswered(size_t, const std::string&) override {}
  void OnNotice(const std::string&) override {}
};

// Runs in a process of its own, which may die; false: it did.
inline bool EndsWell(const std::function<void()>& run) {
  const pid_t child = ::fork();
  if (child == 0) {
    run();
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A task as it was judged in two seconds, but for the verdict.
inline record::Evaluation EvaluationOf(const eval::Task& task) {
  record::Evaluation evaluation;
  evaluation.candidate = task.candidate;
  evaluation.problem_id = task.problem.id;
  evaluation.problem_hash = task.problem.Hash();
  evaluation.model = task.model;
  evaluation.sample = task.sample;
  evaluation.turn = task.turn;
  evaluation.confirms = task.confirms;
  evaluation.wall_seconds = 2;
  return evaluation;
}

// A plan of samples of one problem that go on after their first answer. Who
// derives adds the samples, the provider and who judges.
class ConversationTest : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  explicit ConversationTest(const std::string& backend) {
    model_.name = "a-model";
    prompt::PromptOptions prompt;
    prompt.folder = KB_SOURCE_DIR "/share/prompts";
    prompt.backend = backend;
    writers_.emplace(record::Precision::kFp32, *prompt::Writer::Create(prompt));
    prompt::FeedbackOptions feedback;
    feedback.folder = prompt.folder;
    feedback.backend = backend;
    feedback.layers = *prompt::ParseLayers("all");
    feedback_.emplace(*prompt::FeedbackWriter::Create(feedback));
    folder_.emplace(std::move(*os::TempDir::Create("run-test")));
    conversation_.feedback = &*feedback_;
    plan_.asking.model = &model_;
    plan_.asking.writers = &writers_;
    plan_.asking.conversation = &conversation_;
    record::Problem problem;
    problem.id = "level1/19";
    problem.source = "class Model:\n  pass\n";
    problem_ = std::make_shared<const record::Problem>(problem);
    plan_.judging.emplace();
  }

  store::Store Open() {
    auto store = store::Store::Open(folder_->path() + "/" + store_name_);
    EXPECT_TRUE(store) << store.error().message();
    return std::move(*store);
  }

  RunResult RunInto(RunObserver* observer) {
    store::Store store = Open();
    auto result = run::Run(plan_, &store, observer, {});
    EXPECT_TRUE(result) << result.error().message();
    return result ? std::move(*result) : RunResult();
  }

  // What the store holds, but for times of day and the order of threads.
  Words KeptAnswersAndVerdicts() {
    const store::Store store = Open();
    Words lines;
    const auto generations = store.Generations();
    const auto evaluations = store.Evaluations();
    EXPECT_TRUE(generations && evaluations);
    for (record::Generation g : *generations) {
      g.started_at = "";
      lines.push_back(base::DumpJson(record::ToJson(g)));
    }
    for (const record::Evaluation& e : *evaluations)
      lines.push_back(base::DumpJson(record::ToJson(e)));
    std::ranges::sort(lines);
    return lines;
  }

  std::optional<os::TempDir> folder_;
  std::map<record::Precision, prompt::Writer> writers_;
  std::optional<prompt::FeedbackWriter> feedback_;
  ConversationPlan conversation_;
  std::shared_ptr<const record::Problem> problem_;
  llm::Model model_;
  RunPlan plan_;
  std::string store_name_ = "run.db";
};

}  // namespace kb::run
