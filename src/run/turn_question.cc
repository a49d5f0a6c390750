#include "run/turn_question.h"

#include <utility>

#include "kept_turns.h"
#include "sample_search.h"

namespace kb::run {
namespace {

using base::Result;

// Of the sample's search.
Result<std::vector<record::Decision>> LogOf(const store::Store& store,
                                            const AskingPlan& plan,
                                            const Wanted& wanted) {
  KB_ASSIGN(const auto decisions, store.Decisions());
  std::vector<record::Decision> log;
  for (const record::Decision& line : decisions)
    if (line.model == plan.model->name &&
        line.problem_id == wanted.problem->id &&
        line.problem_hash == wanted.Hash() && line.sample == wanted.sample)
      log.push_back(line);
  return log;
}

}  // namespace

base::Result<TurnQuestion> QuestionOfTurn(const store::Store& store,
                                          const AskingPlan& plan, Wanted wanted,
                                          int64_t turn) {
  KB_ASSIGN(const prompt::Prompt prompt, PromptFor(plan, wanted));
  KB_ASSIGN(KeptTurns kept, ReadKeptTurns(store, plan.model->name, wanted,
                                          *plan.conversation->feedback));
  std::vector<record::Decision> log = ConversationLog(kept.turns, turn);
  if (plan.conversation->search) {
    KB_ASSIGN(log, LogOf(store, plan, wanted));
  }
  const auto episode = EpisodeUpTo(log, turn);
  if (!episode) {
    const bool unjudged = kept.unjudged.contains(turn - 1);
    return base::Usage(
        "turn {} of sample {} of {} follows turn {}, which {}", turn,
        wanted.sample, wanted.problem->id, turn - 1,
        unjudged ? "is answered and not judged" : "the run does not have");
  }
  wanted.ask = (*episode)->AskOf(turn);
  if (wanted.ask->kind == record::AskKind::kGiven)
    return base::Usage(
        "turn {} of sample {} of {} was not asked for: the search began with "
        "that program",
        turn, wanted.sample, wanted.problem->id);
  wanted.turns = turn;
  wanted.shown = std::make_shared<const Shown>(
      ShownFor(*wanted.ask, **episode, kept.turns, plan.conversation->texts));
  std::optional<record::History> history;
  TurnQuestion found;
  found.question = QuestionFor(plan, wanted, prompt, &history);
  found.shown = ProgramsIn(plan, wanted, history);
  return found;
}

}  // namespace kb::run
