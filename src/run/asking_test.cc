#include "run/asking.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <utility>

#include "backlog.h"

namespace kb::run {
namespace {

using record::Generation;
using record::GenerationStatus;

using Answer = tl::expected<llm::Reply, llm::Failure>;

// Gives its answers in their order.
class Scripted : public llm::Provider {
 public:
  explicit Scripted(std::vector<Answer> answers)
      : answers_(std::move(answers)) {}
  Answer Ask(const llm::Question& question,
             const std::function<void(const std::string&)>& /*on_step*/,
             std::stop_token /*stop*/) override {
    return answers_.at(static_cast<size_t>(question.sample));
  }

 private:
  std::vector<Answer> answers_;
};

llm::Reply ReplyWith(std::optional<record::Usage> usage) {
  llm::Reply reply;
  reply.text = "```python\nclass ModelNew:\n    pass\n```\n";
  reply.usage = usage;
  return reply;
}

const record::Usage kMillion{1000000, 0, 0, 0};

class AskingTest : public testing::Test {
 protected:
  AskingTest() {
    model_.concurrency = 1;
    plan_.model = &model_;
    plan_.price = llm::Price{2, 10, std::nullopt, std::nullopt};
    plan_.budget.usd = 100;
  }

  AskingResult Ask(std::vector<Answer> answers) {
    prompt::PromptOptions options;
    options.folder = KB_SOURCE_DIR "/share/prompts";
    auto writer = prompt::Writer::Create(options);
    EXPECT_TRUE(writer) << writer.error().message();
    record::Problem problem;
    problem.id = "level1/19";
    problem.name = "ReLU";
    problem.source =
        "import torch\n\n\nclass Model(torch.nn.Module):\n  pass\n";
    Backlog backlog(std::numeric_limits<size_t>::max());
    for (size_t i = 0; i < answers.size(); ++i)
      backlog.Add({i, std::make_shared<const record::Problem>(problem),
                   static_cast<int64_t>(i)});
    Scripted provider(std::move(answers));
    plan_.provider = &provider;
    const std::map<record::Precision, prompt::Writer> writers{
        {record::Precision::kFp32, std::move(*writer)}};
    plan_.writers = &writers;
    AskingCallbacks callbacks;
    callbacks.on_step = [](size_t, const std::string&) {};
    callbacks.on_answer = [&](const Wanted&, const Generation& generation) {
      kept_.push_back(generation);
      backlog.Done();
      return true;
    };
    callbacks.on_unanswered = [](const Wanted&, const std::string&) {};
    callbacks.on_end = [&](const Wanted&, bool) { backlog.Done(); };
    return AskFrom(plan_, &backlog, callbacks, {});
  }

  llm::Model model_;
  AskingPlan plan_;
  std::vector<Generation> kept_;
};

TEST_F(AskingTest, AnswerWithUsageHasItsPrice) {
  const AskingResult result = Ask({ReplyWith(kMillion), ReplyWith(kMillion)});
  EXPECT_EQ(result.answered, 2);
  EXPECT_EQ(result.spent.unpriced, 0);
  EXPECT_EQ(kept_.at(0).usd, 2);
}

TEST_F(AskingTest, AnswerWithoutUsageEndsARunWithABudget) {
  const AskingResult result =
      Ask({ReplyWith(std::nullopt), ReplyWith(kMillion)});
  EXPECT_EQ(result.answered, 1);
  EXPECT_TRUE(result.unpriced_ended_it);
  EXPECT_EQ(kept_.at(0).usd, std::nullopt);
  EXPECT_EQ(kept_.at(0).status, GenerationStatus::kComplete);
}

TEST_F(AskingTest, AnswerWithoutUsageEndsNothingWhereThatIsAllowed) {
  plan_.with_unpriced = true;
  EXPECT_EQ(Ask({ReplyWith(std::nullopt), ReplyWith(kMillion)}).answered, 2);
  plan_.with_unpriced = false;
  plan_.budget.usd.reset();
  EXPECT_EQ(Ask({ReplyWith(std::nullopt), ReplyWith(kMillion)}).answered, 2);
}

TEST_F(AskingTest, UnknownCostOfBeforeEndsTheRunBeforeItAsks) {
  plan_.spent.unpriced = 1;
  const AskingResult result = Ask({ReplyWith(kMillion)});
  EXPECT_EQ(result.answered, 0);
  EXPECT_TRUE(result.unpriced_ended_it);
}

TEST_F(AskingTest, RejectedQuestionCostsNothing) {
  const llm::Failure rejected{llm::Failure::Kind::kRejected, "too long"};
  const AskingResult result =
      Ask({tl::unexpected(rejected), ReplyWith(kMillion)});
  EXPECT_EQ(result.answered, 2);
  EXPECT_FALSE(result.unpriced_ended_it);
}

TEST_F(AskingTest, MistakeInTheUsageIsTheReason) {
  llm::Reply reply = ReplyWith(std::nullopt);
  reply.usage_mistake = "completion_tokens is -8000";
  Ask({reply});
  EXPECT_EQ(kept_.at(0).reason,
            "the tokens are not counted: completion_tokens is -8000");
  EXPECT_EQ(kept_.at(0).status, GenerationStatus::kComplete);
}

}  // namespace
}  // namespace kb::run
