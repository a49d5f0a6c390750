#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/prices.h"
#include "llm/provider.h"
#include "prompt/prompt.h"
#include "record/decision.h"
#include "record/generation.h"
#include "record/problem.h"
#include "run/budget.h"
#include "run/conversation.h"
#include "run/knowledge.h"

namespace kb::run {

// Whether this cost an amount that nobody knows. A request that was refused as
// it is cost nothing.
bool IsUnpriced(const record::Generation& generation);

// What a question shows of the turns before it.
struct Shown {
  std::vector<Turn> conversation;  // answers and what became of them, in order
  // What follows the problem's prompt in a conversation that begins anew, and
  // the turns that it is about.
  std::string text = {};
  std::vector<int64_t> of_turns = {};
  std::vector<record::ShownProgram> programs = {};  // of all these turns
};

// Sizes at which a problem is judged besides its own, in this order, and what a
// judgement over all of them is called (eval::Task::further).
struct FurtherSizes {
  record::Size several;
  std::vector<record::Problem> problems;
};

// An answer of a sample that is to be asked for: its only one, or one of a
// search.
struct Wanted {
  size_t index = 0;  // what callbacks are told
  std::shared_ptr<const record::Problem> problem;
  int64_t sample = 0;
  record::Precision precision = record::Precision::kFp32;  // of its judging
  int64_t turns = 1;   // answers that it may take in all
  double seconds = 0;  // and of answers and judgements; 0: no limit
  // What the search asks for; none: there is no search.
  std::optional<record::Ask> ask = {};
  std::shared_ptr<const Shown> shown = {};
  bool begun = false;  // the sample has answers
  // The answer, where nobody is asked (record::AskKind::kGiven).
  std::shared_ptr<const record::Generation> given = {};
  std::shared_ptr<const FurtherSizes> further = {};  // null: none

  // Of the problem at all its sizes, as answers and evaluations have it.
  std::string Hash() const;
};

struct AskingPlan {
  const llm::Model* model = nullptr;
  llm::Provider* provider = nullptr;
  // One for the precision of each question.
  const std::map<record::Precision, prompt::Writer>* writers = nullptr;
  const ConversationPlan* conversation = nullptr;  // none: one answer each
  // What prompts show of earlier runs, by problem; none: nothing.
  const std::map<std::string, KnowledgeBlock>* knowledge = nullptr;
  std::optional<llm::Price> price;  // none: as the provider says, if it does
  Budget budget;
  Spent spent;                                       // before
  std::chrono::steady_clock::time_point began = {};  // of the call
  // Device seconds of this call so far; may be empty.
  std::function<double()> device_seconds = {};
  bool with_unpriced = false;  // ask on after such an answer
  int64_t parallel = 1;        // asks of one sample at a time
};

// Called from several threads at once.
struct AskingCallbacks {
  std::function<void(size_t index, const std::string& step)> on_step;
  // False: cannot be kept, so no more is asked.
  std::function<bool(const Wanted&, const record::Generation&)> on_answer;
  // The question stays open; a later run may have more luck.
  std::function<void(const Wanted&, const std::string& why)> on_unanswered;
  // After no answer: no more is asked about it in this call. `is_over`: nor in
  // a later one, as a replay has no more of it.
  std::function<void(const Wanted&, bool is_over)> on_end;
};

struct AskingResult {
  int64_t answered = 0;
  int64_t open = 0;       // the model could not be reached, tried often enough
  int64_t exhausted = 0;  // a replay that has no such answer
  std::optional<BudgetPart> budget_reached;
  Spent spent;  // with what was before
  bool unpriced_ended_it = false;
  std::optional<base::Error> fatal;  // no question will be answered
};

// The first question about a problem, with what is known of earlier runs.
base::Result<prompt::Prompt> PromptFor(const AskingPlan& plan,
                                       const Wanted& wanted);

// The programs that a question holds of which QuestionFor says `kept`.
std::vector<record::ShownProgram> ProgramsIn(
    const AskingPlan& plan, const Wanted& wanted,
    const std::optional<record::History>& kept);

// The question, and which of the turns before it shows.
llm::Question QuestionFor(const AskingPlan& plan, const Wanted& wanted,
                          const prompt::Prompt& prompt,
                          std::optional<record::History>* kept);

class Backlog;

// Asks for all that the backlog has or gets, Model::concurrency at a time. No
// question is asked that would pass the budget (PassedBy), and with one in USD
// none after an answer whose cost is not known. Who is told of
// an answer, or of the end, tells the backlog where the sample goes.
AskingResult AskFrom(const AskingPlan& plan, Backlog* backlog,
                     const AskingCallbacks& callbacks,
                     const std::stop_token& stop);

}  // namespace kb::run
