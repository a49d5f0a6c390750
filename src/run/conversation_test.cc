#include "run/conversation.h"

#include <gtest/gtest.h>

#include <thread>

#include "backlog.h"

namespace kb::run {
namespace {

using record::GenerationStatus;
using record::Verdict;

class ConversationTest : public testing::Test {
 protected:
  ConversationTest() {
    prompt::FeedbackOptions options;
    options.folder = KB_SOURCE_DIR "/share/prompts";
    auto writer = prompt::FeedbackWriter::Create(options);
    EXPECT_TRUE(writer) << writer.error().message();
    feedback_.emplace(std::move(*writer));
    plan_.feedback = &*feedback_;
    first_.system = "system";
    first_.user = "task";
  }

  void Add(std::optional<Verdict> verdict, std::optional<double> speedup = {},
           const std::string& text = "") {
    record::Generation answer;
    answer.turn = std::ssize(turns_) + 1;
    answer.status = GenerationStatus::kComplete;
    answer.answer =
        text.empty() ? "answer " + std::to_string(answer.turn) : text;
    answer.source = "code " + std::to_string(answer.turn);
    answer.seconds = 20;
    record::Evaluation evaluation;
    evaluation.verdict = verdict;
    if (speedup) evaluation.speedup = record::Interval{*speedup, 0, 9};
    evaluation.wall_seconds = 10;
    turns_.push_back(TurnOf(std::move(answer), &evaluation, *feedback_));
  }

  NextQuestion Next(HistoryPolicy policy) {
    plan_.history = policy;
    return AskAfter(first_, turns_, 10, model_, plan_);
  }

  // The assistant's messages.
  static std::vector<std::string> Answers(const NextQuestion& question) {
    std::vector<std::string> answers;
    for (const llm::Message& message : question.history)
      if (message.role == llm::Message::Role::kAssistant)
        answers.push_back(message.text);
    return answers;
  }

  std::optional<prompt::FeedbackWriter> feedback_;
  ConversationPlan plan_;
  prompt::Prompt first_;
  llm::Model model_;
  std::vector<Turn> turns_;
};

using Words = std::vector<std::string>;
using Numbers = std::vector<int64_t>;

TEST_F(ConversationTest, PoliciesKeepWhatTheySay) {
  Add(Verdict::kIncorrect);
  Add(Verdict::kCorrect, 1.5);
  Add(Verdict::kCompileError);
  EXPECT_EQ(Answers(Next(HistoryPolicy::kWhole)),
            (Words{"answer 1", "answer 2", "answer 3"}));
  EXPECT_EQ(Answers(Next(HistoryPolicy::kLast)), Words{"answer 3"});
  EXPECT_EQ(Answers(Next(HistoryPolicy::kBest)), Words{"answer 2"});
  EXPECT_EQ(Answers(Next(HistoryPolicy::kBestAndLast)),
            (Words{"answer 2", "answer 3"}));
  const NextQuestion best = Next(HistoryPolicy::kBest);
  EXPECT_EQ(best.kept, (record::History{"best", {2}, {1, 3}}));
  EXPECT_TRUE(best.user.starts_with(
      "Not shown here are your answers of these turns:\nturn 1: incorrect\n"
      "turn 3: compile_error\nThe one above is of turn 2.\n\nYour program is "
      "correct."))
      << best.user;
}

TEST_F(ConversationTest, EveryAnswerIsFollowedByWhatBecameOfIt) {
  Add(Verdict::kCompileError);
  Add(Verdict::kIncorrect);
  const NextQuestion next = Next(HistoryPolicy::kWhole);
  ASSERT_EQ(next.history.size(), 4U);
  EXPECT_EQ(next.history[0].text, "task");
  EXPECT_TRUE(
      next.history[2].text.starts_with("Your program does not compile"));
  EXPECT_TRUE(next.user.starts_with("Your program computes a wrong result"));
  EXPECT_EQ(next.lasting, 5) << "all of it begins the next question as well";
}

// Or nothing would be found in a provider's cache.
TEST_F(ConversationTest, AQuestionBeginsWithTheOneBefore) {
  Add(Verdict::kCompileError);
  const NextQuestion second = Next(HistoryPolicy::kWhole);
  Add(Verdict::kIncorrect);
  const NextQuestion third = Next(HistoryPolicy::kWhole);
  for (size_t i = 0; i < second.history.size(); ++i)
    EXPECT_EQ(third.history[i].text, second.history[i].text);
  EXPECT_EQ(third.history[2].text, second.user);
}

TEST_F(ConversationTest, TenthTurnStaysUnderTheContext) {
  for (int i = 0; i < 9; ++i)
    Add(Verdict::kIncorrect, {}, std::string(30000, 'x'));
  model_.context_tokens = 40000;
  model_.max_tokens = 10000;
  const NextQuestion next = Next(HistoryPolicy::kWhole);
  size_t bytes = first_.system.size() + next.user.size();
  for (const llm::Message& message : next.history) bytes += message.text.size();
  EXPECT_LE(bytes, 3U * (40000 - 10000));
  EXPECT_EQ(next.kept.kept, (Numbers{8, 9}));
  EXPECT_EQ(next.kept.dropped, (Numbers{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(next.lasting, 1);
}

TEST_F(ConversationTest, AnswerThatAloneIsTooLongIsItsProgram) {
  Add(Verdict::kIncorrect, {}, std::string(300000, 'x'));
  model_.context_tokens = 40000;
  EXPECT_EQ(Answers(Next(HistoryPolicy::kWhole)), Words{"```\ncode 1\n```"});
}

TEST(Backlog, WhatWasBegunGoesOnBeforeOthersBegin) {
  Backlog backlog(2);
  for (size_t i = 0; i < 3; ++i) backlog.Add({i, nullptr, 0});
  EXPECT_EQ(backlog.Take({})->index, 0U);
  EXPECT_EQ(backlog.Take({})->index, 1U);
  // Two are begun, so the third waits for one to be done.
  std::jthread other([&] {
    Wanted next{0, nullptr, 0};
    next.begun = true;
    backlog.Add(next);
    backlog.Done();
  });
  EXPECT_EQ(backlog.Take({})->index, 0U);
  backlog.Done();
  EXPECT_EQ(backlog.Take({})->index, 2U);
  backlog.Done();
  backlog.Done();
  EXPECT_FALSE(backlog.Take({}));
}

TEST(Backlog, StopEndsTheWait) {
  Backlog backlog(1);
  backlog.AddElsewhere();
  std::stop_source source;
  std::jthread stopper([&] { source.request_stop(); });
  EXPECT_FALSE(backlog.Take(source.get_token()));
  backlog.WaitForElsewhere(source.get_token());
  EXPECT_EQ(backlog.Size(), 1U);
}

}  // namespace
}  // namespace kb::run
