// Samples that take several turns.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "run/turn_question.h"
#include "run_fixture.h"

namespace kb::run {
namespace {

using record::Evaluation;
using record::Generation;
using record::Verdict;
using Words = std::vector<std::string>;

// Answers turn n with a program that says n; the first answer of sample 1 holds
// none. Counts what happens, and may die of it.
struct Script : llm::Provider {
  tl::expected<llm::Reply, llm::Failure> Ask(
      const llm::Question& question,
      const std::function<void(const std::string&)>& /*on_step*/,
      std::stop_token /*stop*/) override {
    Event();
    asked.push_back(question);
    if (question.turn > most_turns)
      return tl::unexpected(
          llm::Failure{llm::Failure::Kind::kExhausted, "no more"});
    llm::Reply reply;
    reply.text = question.sample == 1 && question.turn == 1
                     ? "I cannot."
                     : fmt::format(
                           "```python\nclass ModelNew:\n    turn = "
                           "{}\n```\n",
                           question.turn);
    reply.text.insert(0, std::string(padding, 'w') + "\n");
    reply.state = fmt::format("[{}]", question.turn);
    reply.usage = record::Usage{100 * question.turn, 0, 10, 0};
    reply.usd = 0.25;
    reply.seconds = 1;
    return reply;
  }
  void End(const std::string& /*problem_id*/, int64_t sample) override {
    ended.push_back(sample);
  }

  void Event() {
    if (--events_to_live == 0) _exit(9);
  }

  int64_t most_turns = 100;
  size_t padding = 0;  // words before each program
  int64_t events_to_live = -1;
  std::vector<llm::Question> asked;
  std::vector<int64_t> ended;
};

struct Ends : Silent {
  void OnSampleEnd(size_t index, bool before) override {
    ended.push_back(fmt::format("{}{}", index, before ? " before" : ""));
  }
  Words ended;
};

class TurnsTest : public ConversationTest {
 protected:
  TurnsTest() : ConversationTest("cpp") {
    model_.concurrency = 1;
    plan_.asking.provider = &script_;
    for (size_t i = 0; i < 2; ++i) {
      plan_.samples.push_back({i, problem_, static_cast<int64_t>(i)});
      plan_.samples.back().turns = 4;
    }
    plan_.judging->judge = [this](eval::TaskQueue* queue,
                                  eval::Observer* observer,
                                  const std::stop_token& stop) {
      while (const auto taken = queue->Take(stop)) {
        script_.Event();
        observer->OnDone(taken->first, Judged(taken->second));
      }
      return base::Ok();
    };
  }

  // Turn 1 does not compile, 2 is wrong, 3 is fast, 4 is slower. Judged again,
  // a turn is a little slower than it seemed.
  Evaluation Judged(const eval::Task& task) {
    judged_.push_back(fmt::format("{} {}{}", task.sample, task.turn,
                                  task.confirms ? " again" : ""));
    Evaluation evaluation = EvaluationOf(task);
    evaluation.ruler.emplace().version = ruler_;
    evaluation.verdict = task.turn == 1   ? Verdict::kCompileError
                         : task.turn == 2 ? Verdict::kIncorrect
                                          : Verdict::kCorrect;
    if (fails_.contains(task.turn) && !task.confirms)
      evaluation.verdict = Verdict::kInfraError;
    if (task.turn < 3) return evaluation;
    evaluation.speedup = record::Interval{
        task.turn == 3 ? (task.confirms ? 1.75 : 2.0) : 1.5, 1, 3};
    evaluation.reference_time.emplace().median = 20;
    evaluation.candidate_time.emplace().median = 10;
    return evaluation;
  }

  RunResult Run() {
    script_.asked.clear();
    judged_.clear();
    observer_.ended.clear();
    return RunInto(&observer_);
  }

  Words Kept() { return KeptAnswersAndVerdicts(); }

  Script script_;
  Ends observer_;
  int64_t ruler_ = record::kRulerVersion;
  std::set<int64_t> fails_;  // turns that our own failure leaves unjudged
  Words judged_;
};

TEST_F(TurnsTest, EachTurnFollowsTheVerdictBefore) {
  plan_.samples.resize(1);
  const RunResult result = Run();
  EXPECT_EQ(result.asking.answered, 4);
  ASSERT_EQ(script_.asked.size(), 4U);
  EXPECT_EQ(script_.asked[0].turn, 1);
  EXPECT_TRUE(script_.asked[0].history.empty());
  EXPECT_TRUE(
      script_.asked[1].user.starts_with("Your program does not compile"));
  EXPECT_TRUE(
      script_.asked[2].user.starts_with("Your program computes a wrong"));
  EXPECT_NE(script_.asked[3].user.find("It is 2 times as fast"),
            std::string::npos);
  EXPECT_EQ(script_.asked[3].history.size(), 6U);
  EXPECT_EQ(script_.asked[3].history[5].state, "[3]");
  // The best is judged once more.
  EXPECT_EQ(judged_, (Words{"0 1", "0 2", "0 3", "0 4", "0 3 again"}));
  EXPECT_EQ(observer_.ended, Words{"0"});
  EXPECT_EQ(script_.ended, std::vector<int64_t>{0});
}

TEST_F(TurnsTest, AnswerThatAnEarlierRulerMeasuredIsJudgedBeforeItGoesOn) {
  plan_.samples.resize(1);
  plan_.samples[0].turns = 1;
  ruler_ = record::kRulerVersion - 1;
  Run();
  EXPECT_EQ(judged_, Words{"0 1"});
  ruler_ = record::kRulerVersion;
  plan_.samples[0].turns = 4;
  Run();
  EXPECT_EQ(script_.asked.size(), 3U);
  EXPECT_EQ(judged_, (Words{"0 1", "0 2", "0 3", "0 4", "0 3 again"}));
}

TEST_F(TurnsTest, TurnsThatAnEarlierRulerMeasuredAreJudgedAgain) {
  plan_.samples.resize(1);
  ruler_ = record::kRulerVersion - 1;
  Run();
  ruler_ = record::kRulerVersion;
  plan_.samples[0].turns = 5;
  const RunResult result = Run();
  ASSERT_EQ(script_.asked.size(), 1U);
  EXPECT_EQ(script_.asked[0].turn, 5);
  EXPECT_EQ(judged_, (Words{"0 1", "0 2", "0 3", "0 4", "0 5", "0 3 again"}));
  EXPECT_EQ(Run().evaluations.size(), 0U) << "once";
  EXPECT_TRUE(script_.asked.empty());
}

TEST_F(TurnsTest, EveryTurnIsKeptWithItsTokensCostAndHistory) {
  plan_.samples.resize(1);
  conversation_.history = HistoryPolicy::kLast;
  Run();
  const auto found = Open().Generations();
  ASSERT_TRUE(found) << found.error().message();
  const std::vector<Generation>& kept = *found;
  ASSERT_EQ(kept.size(), 4U);
  EXPECT_EQ(kept[0].history, std::nullopt);
  EXPECT_EQ(kept[3].history, (record::History{"last", {3}, {1, 2}}));
  EXPECT_EQ(kept[3].prompt, script_.asked[3].user);
  EXPECT_EQ(kept[3].usage.input, 400);
  EXPECT_EQ(kept[3].usd, 0.25);
  EXPECT_EQ(kept[3].state, "[4]");
  EXPECT_EQ(kept[3].candidate_name, "sample_0_turn_4.py");
}

TEST_F(TurnsTest, EveryQuestionIsKeptWithTheProgramsInIt) {
  plan_.samples.resize(1);
  conversation_.history = HistoryPolicy::kBestAndLast;
  std::map<std::string, KnowledgeBlock> knowledge;
  const record::ShownProgram other{"ab12", "b.db", "level1/2", 0, 3};
  knowledge["level1/19"] = {"What others did.", {other}};
  plan_.asking.knowledge = &knowledge;
  Run();
  for (const llm::Question& asked : script_.asked) {
    const std::string& first =
        asked.history.empty() ? asked.user : asked.history[0].text;
    EXPECT_TRUE(first.ends_with("\n\nWhat others did."));
  }
  const auto kept = Open().Generations();
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->at(0).shown, std::vector{other});
  // Turn 4 shows turn 3, which is the best and the last.
  const record::ShownProgram own{base::Sha256(kept->at(2).source), "",
                                 "level1/19", 0, 3};
  EXPECT_EQ(kept->at(3).shown, (std::vector{other, own}));
}

// Ten turns of a model with little room: every question with its answer fits,
// at three bytes a token, and the turns are what the run says that it took.
TEST_F(TurnsTest, TenTurnsFitTheContextAndAddUp) {
  plan_.samples.resize(1);
  plan_.samples[0].turns = 10;
  model_.context_tokens = 12000;
  model_.max_tokens = 1000;
  script_.padding = 8000;
  const RunResult result = Run();
  ASSERT_EQ(script_.asked.size(), 10U);
  for (const llm::Question& asked : script_.asked) {
    size_t bytes = asked.system.size();
    for (const llm::Message& message : llm::MessagesOf(asked))
      bytes += message.text.size() + message.state.size();
    EXPECT_LE(bytes, 3U * (12000 - 1000)) << "turn " << asked.turn;
  }
  const auto kept = Open().Generations();
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 10U);
  const auto& last = kept->at(9).history;
  ASSERT_TRUE(last);
  EXPECT_EQ(last->policy, "whole");
  EXPECT_EQ(last->kept.back(), 9);
  EXPECT_FALSE(last->dropped.empty());
  EXPECT_EQ(last->kept.size() + last->dropped.size(), 9U);
  int64_t tokens = 0;
  double usd = 0;
  for (const Generation& turn : *kept) {
    tokens += turn.usage.input + turn.usage.output;
    usd += *turn.usd;
  }
  EXPECT_EQ(tokens, 100 * 55 + 10 * 10) << "100 for each turn before, and 10";
  EXPECT_EQ(result.asking.spent.tokens, tokens);
  EXPECT_DOUBLE_EQ(usd, 2.5);
  EXPECT_DOUBLE_EQ(result.asking.spent.usd, usd);
}

TEST_F(TurnsTest, AnswerWithoutAProgramIsATurn) {
  Run();
  EXPECT_EQ(std::ranges::count(judged_, "1 1"), 0);
  EXPECT_EQ(std::ranges::count(judged_, "1 2"), 1);
  for (const llm::Question& question : script_.asked)
    if (question.sample == 1 && question.turn == 2) {
      EXPECT_TRUE(question.user.starts_with("Your answer holds no program"));
    }
}

TEST_F(TurnsTest, TheSameCallDoesNothingTwice) {
  Run();
  Run();
  EXPECT_TRUE(script_.asked.empty());
  EXPECT_TRUE(judged_.empty());
  EXPECT_EQ(observer_.ended, (Words{"0 before", "1 before"}));
}

TEST_F(TurnsTest, LaterCallMayAskForMoreTurns) {
  plan_.samples.resize(1);
  plan_.samples[0].turns = 1;
  plan_.asking.conversation = nullptr;
  Run();
  EXPECT_EQ(judged_, Words{"0 1"});
  plan_.asking.conversation = &conversation_;
  plan_.samples[0].turns = 3;
  Run();
  EXPECT_EQ(judged_, (Words{"0 2", "0 3", "0 3 again"}));
  plan_.samples[0].turns = 4;
  Run();
  EXPECT_EQ(judged_, Words{"0 4"}) << "turn 3 is still the best";
}

TEST_F(TurnsTest, MinutesEndAConversation) {
  plan_.samples.resize(1);
  plan_.samples[0].seconds = 6;  // a turn takes 3
  Run();
  EXPECT_EQ(script_.asked.size(), 2U);
  EXPECT_EQ(observer_.ended, Words{"0"});
}

TEST_F(TurnsTest, BudgetLeavesTheBestSoFarJudgedAgain) {
  plan_.samples.resize(1);
  plan_.asking.budget.usd = 0.75;
  const RunResult result = Run();
  EXPECT_TRUE(result.asking.budget_reached);
  EXPECT_EQ(judged_, (Words{"0 1", "0 2", "0 3", "0 3 again"}));
}

TEST_F(TurnsTest, EndOfAReplayEndsAConversation) {
  plan_.samples.resize(1);
  script_.most_turns = 3;
  const RunResult result = Run();
  EXPECT_EQ(result.asking.exhausted, 0);
  EXPECT_EQ(judged_, (Words{"0 1", "0 2", "0 3", "0 3 again"}));
}

TEST_F(TurnsTest, OurOwnFailureIsJudgedAgainBeforeItGoesOn) {
  plan_.samples.resize(1);
  fails_ = {2};
  Run();
  EXPECT_EQ(judged_, (Words{"0 1", "0 2"}));
  fails_.clear();
  Run();
  EXPECT_EQ(judged_, (Words{"0 2", "0 3", "0 4", "0 3 again"}));
}

TEST_F(TurnsTest, RunThatIsKilledAnywhereEndsAsAnUndisturbedOne) {
  store_name_ = "undisturbed.db";
  ASSERT_TRUE(EndsWell([this] { Run(); }));
  const Words undisturbed = Kept();
  ASSERT_EQ(undisturbed.size(), 8U + 7U + 2U);
  constexpr int64_t kEvents = 17;
  for (int64_t event = 1; event <= kEvents; ++event) {
    store_name_ = fmt::format("killed_{}.db", event);
    script_.events_to_live = event;
    EXPECT_FALSE(EndsWell([this] { Run(); })) << event;
    script_.events_to_live = -1;
    ASSERT_TRUE(EndsWell([this] { Run(); })) << event;
    EXPECT_EQ(Kept(), undisturbed) << event;
  }
}

TEST_F(TurnsTest, WhatATurnAskedIsShownFromTheStore) {
  Run();
  const store::Store store = Open();
  for (const llm::Question& asked : script_.asked) {
    Wanted wanted{0, problem_, asked.sample};
    const auto shown = QuestionOfTurn(store, plan_.asking, wanted, asked.turn);
    ASSERT_TRUE(shown) << shown.error().message();
    const llm::Question& question = shown->question;
    EXPECT_EQ(question.system, asked.system);
    EXPECT_EQ(question.user, asked.user);
    ASSERT_EQ(question.history.size(), asked.history.size());
    for (size_t i = 0; i < asked.history.size(); ++i)
      EXPECT_EQ(question.history[i].text, asked.history[i].text);
    store::GenerationFilter turn;
    turn.sample = asked.sample;
    turn.turn = asked.turn;
    EXPECT_EQ(shown->shown, store.Generations(turn)->at(0).shown);
  }
  const auto none = QuestionOfTurn(store, plan_.asking, {0, problem_, 0}, 6);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message(),
            "turn 6 of sample 0 of level1/19 follows turn 5, which the run "
            "does not have");
}

}  // namespace
}  // namespace kb::run
