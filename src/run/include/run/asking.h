#pragma once

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
#include "record/generation.h"
#include "record/problem.h"
#include "run/conversation.h"

namespace kb::run {

// Whether this cost an amount that nobody knows. A request that was refused as
// it is cost nothing.
bool IsUnpriced(const record::Generation& generation);

// A sample of a problem that is to be asked for.
struct Wanted {
  size_t index = 0;  // what callbacks are told
  std::shared_ptr<const record::Problem> problem;
  int64_t sample = 0;
  record::Precision precision = record::Precision::kFp32;  // of its judging
  int64_t turns = 1;  // answers that it may take in all
  // Those that there are; none: it is not begun.
  std::shared_ptr<const std::vector<Turn>> turns_so_far = {};
};

struct AskingPlan {
  const llm::Model* model = nullptr;
  llm::Provider* provider = nullptr;
  // One for the precision of each question.
  const std::map<record::Precision, prompt::Writer>* writers = nullptr;
  const ConversationPlan* conversation = nullptr;  // none: one answer each
  std::optional<llm::Price> price;  // none: as the provider says, if it does
  std::optional<double> max_cost;   // USD, with what was spent before
  double spent = 0;                 // before
  int64_t unpriced = 0;             // answers before whose cost is not known
  bool with_unpriced = false;       // ask on after such an answer
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
  bool budget_reached = false;
  int64_t unpriced = 0;  // answers whose cost is not known, with those before
  bool unpriced_ended_it = false;
  std::optional<base::Error> fatal;  // no question will be answered
};

// The question about a sample's next turn, and what of the conversation it
// shows.
llm::Question QuestionFor(const AskingPlan& plan, const Wanted& wanted,
                          const prompt::Prompt& prompt,
                          std::optional<record::History>* kept);

class Backlog;

// Asks for all that the backlog has or gets, Model::concurrency at a time. With
// a budget no question is asked that would pass it if it cost as much as the
// mean answer, and none after an answer whose cost is not known. Who is told of
// an answer, or of the end, tells the backlog where the sample goes.
AskingResult AskFrom(const AskingPlan& plan, Backlog* backlog,
                     const AskingCallbacks& callbacks,
                     const std::stop_token& stop);

}  // namespace kb::run
