#include "run/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/turns.h"
#include "base/check.h"
#include "base/words.h"

namespace kb::run {
namespace {

using llm::Message;
using record::GenerationStatus;

constexpr base::Words<HistoryPolicy, 4> kPolicies{
    {{HistoryPolicy::kWhole, "whole"},
     {HistoryPolicy::kLast, "last"},
     {HistoryPolicy::kBest, "best"},
     {HistoryPolicy::kBestAndLast, "best-and-last"}}};

constexpr int64_t kAnswerTokens = 32000;  // where max_tokens says nothing

// What a prompt may be long.
size_t RoomOf(const llm::Model& model) {
  const int64_t context = model.context_tokens.value_or(llm::kContextTokens);
  const int64_t answer = std::min(model.max_tokens.value_or(kAnswerTokens) +
                                      model.thinking_tokens.value_or(0),
                                  context / 2);
  return static_cast<size_t>((context - answer) * kBytesPerToken);
}

size_t SizeOf(const NextQuestion& question) {
  size_t size = question.user.size();
  for (const Message& message : question.history)
    size += message.text.size() + message.state.size();
  return size;
}

std::vector<size_t> KeptOf(const std::vector<Turn>& turns,
                           HistoryPolicy policy) {
  const size_t last = turns.size() - 1;
  std::vector<size_t> kept;
  if (policy == HistoryPolicy::kWhole)
    for (size_t i = 0; i < last; ++i) kept.push_back(i);
  if (policy == HistoryPolicy::kBest ||
      (policy == HistoryPolicy::kBestAndLast && BestOf(turns) != last))
    kept.push_back(BestOf(turns));
  if (policy != HistoryPolicy::kBest) kept.push_back(last);
  return kept;
}

Message AnswerOf(const Turn& turn, bool program_only) {
  // An API refuses an empty message.
  if (turn.answer.answer.empty())
    return {Message::Role::kAssistant, "(no answer)"};
  if (program_only && !turn.answer.source.empty())
    return {Message::Role::kAssistant,
            fmt::format("```\n{}\n```", turn.answer.source)};
  return {Message::Role::kAssistant, turn.answer.answer, turn.answer.state,
          turn.answer.reasoning};
}

NextQuestion QuestionOf(const prompt::Prompt& first,
                        const std::vector<Turn>& turns,
                        const std::vector<size_t>& kept, bool program_only,
                        const ConversationPlan& plan) {
  NextQuestion question;
  question.history.push_back({Message::Role::kUser, first.user});
  for (const size_t i : kept) {
    question.history.push_back(AnswerOf(turns[i], program_only));
    question.history.push_back({Message::Role::kUser, turns[i].feedback});
  }
  question.user = std::move(question.history.back().text);
  question.history.pop_back();
  question.kept.policy = HistoryPolicyName(plan.history);
  std::vector<std::string> lines;
  for (size_t i = 0; i < turns.size(); ++i) {
    const bool is_kept = std::ranges::find(kept, i) != kept.end();
    (is_kept ? question.kept.kept : question.kept.dropped)
        .push_back(turns[i].answer.turn);
    if (!is_kept) lines.push_back(turns[i].line);
  }
  if (!lines.empty())
    question.user =
        plan.feedback->LeftOut(lines, turns[kept.back()].answer.turn) + "\n\n" +
        question.user;
  return question;
}

}  // namespace

const char* HistoryPolicyName(HistoryPolicy policy) {
  return kPolicies.Of(policy);
}

std::optional<HistoryPolicy> ParseHistoryPolicy(const std::string& name) {
  return kPolicies.Parse(name);
}

Turn TurnOf(record::Generation answer, const record::Evaluation* evaluation,
            const prompt::FeedbackWriter& feedback) {
  Turn turn;
  turn.seconds = answer.seconds;
  if (evaluation != nullptr) {
    turn.verdict = evaluation->verdict;
    if (evaluation->speedup) turn.speedup = evaluation->speedup->estimate;
    turn.seconds += evaluation->wall_seconds;
  }
  turn.feedback = feedback.Write(answer, evaluation);
  turn.line = prompt::TurnLine(answer, evaluation);
  turn.answer = std::move(answer);
  return turn;
}

size_t BestOf(const std::vector<Turn>& turns) {
  std::vector<analysis::TurnRank> ranks;
  for (const Turn& turn : turns)
    ranks.push_back(analysis::RankOf(turn.verdict, turn.speedup));
  return analysis::BestTurn(ranks);
}

NextQuestion AskAfter(const prompt::Prompt& first,
                      const std::vector<Turn>& turns, int64_t wanted,
                      const llm::Model& model, const ConversationPlan& plan) {
  KB_CHECK(!turns.empty());
  const size_t room = RoomOf(model);
  const size_t before = first.system.size();
  std::vector<size_t> kept = KeptOf(turns, plan.history);
  NextQuestion question = QuestionOf(first, turns, kept, false, plan);
  while (before + SizeOf(question) > room && kept.size() > 1) {
    kept.erase(kept.begin());
    question = QuestionOf(first, turns, kept, false, plan);
  }
  if (before + SizeOf(question) > room)
    question = QuestionOf(first, turns, kept, true, plan);
  // Only what is whole begins the next question too. The last one reads what
  // the one before it had written, and writes nothing.
  const auto messages = std::ssize(question.history) + 1;
  const bool is_last = std::ssize(turns) + 1 >= wanted;
  if (plan.history != HistoryPolicy::kWhole || kept.size() < turns.size())
    question.lasting = 1;
  else
    question.lasting = is_last ? messages - 2 : messages;
  return question;
}

}  // namespace kb::run
