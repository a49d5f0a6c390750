#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llm/model.h"
#include "llm/provider.h"
#include "prompt/feedback.h"
#include "prompt/prompt.h"
#include "prompt/search.h"
#include "record/decision.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "search/strategy.h"

namespace kb::run {

// No text has more tokens than a third of its bytes, nearly: as a prompt's room
// is counted.
constexpr int64_t kBytesPerToken = 3;

// Which earlier answers, each with its feedback, a model sees again.
enum class HistoryPolicy { kWhole, kLast, kBest, kBestAndLast };
const char* HistoryPolicyName(HistoryPolicy policy);  // "best-and-last"
std::optional<HistoryPolicy> ParseHistoryPolicy(const std::string& name);

// One answer of a conversation, and what became of it.
struct Turn {
  record::Generation answer;
  std::optional<record::Verdict> verdict;  // absent: no program, or not run
  std::optional<double> speedup;           // by device time
  std::string feedback;                    // FeedbackWriter::Write
  std::string line;                        // prompt::TurnLine
  double seconds = 0;  // that the answer and its judgement took
};

// How samples go on after their first answer.
struct ConversationPlan {
  const prompt::FeedbackWriter* feedback = nullptr;
  HistoryPolicy history = HistoryPolicy::kWhole;
  // None: refinement, one ask at a time.
  std::optional<search::Choice> search = {};
  const prompt::SearchWriter* texts = nullptr;  // of a search
  // Not empty: the log of another run, whose asks are put again.
  std::vector<record::Decision> replayed = {};
  // Programs that searches begin with, by problem.
  std::map<std::string, record::Generation> given = {};
};

// `evaluation` is null where there was nothing to judge.
Turn TurnOf(record::Generation answer, const record::Evaluation* evaluation,
            const prompt::FeedbackWriter& feedback);

// The index of the turn that counts (analysis::BestTurn).
size_t BestOf(const std::vector<Turn>& turns);

// What a later turn asks: the first question, the answers that the policy keeps
// with their feedback, oldest first. Where that and an answer (max_tokens)
// would not fit into the model's context at three bytes a token, the oldest of
// them are left out, then all of the last answer but its program.
struct NextQuestion {
  std::vector<llm::Message> history;
  std::string user;
  int64_t lasting = 0;  // llm::Question::lasting
  record::History kept;
};
NextQuestion AskAfter(const prompt::Prompt& first,
                      const std::vector<Turn>& turns, int64_t wanted,
                      const llm::Model& model, const ConversationPlan& plan);

}  // namespace kb::run
