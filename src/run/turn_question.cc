#include "run/turn_question.h"

#include <utility>

#include "kept_turns.h"

namespace kb::run {

base::Result<llm::Question> QuestionOfTurn(const store::Store& store,
                                           const AskingPlan& plan,
                                           Wanted wanted, int64_t turn) {
  KB_ASSIGN(const prompt::Prompt prompt,
            plan.writers->at(wanted.precision).Write(*wanted.problem));
  KB_ASSIGN(KeptTurns kept, ReadKeptTurns(store, plan.model->name, wanted,
                                          *plan.conversation->feedback));
  if (std::ssize(kept.turns) < turn - 1)
    return base::Usage("turn {} of sample {} of {} follows turn {}, which {}",
                       turn, wanted.sample, wanted.problem->id, turn - 1,
                       kept.unjudged && kept.unjudged->turn == turn - 1
                           ? "is answered and not judged"
                           : "the run does not have");
  kept.turns.resize(static_cast<size_t>(turn - 1));
  wanted.turns = turn;
  wanted.turns_so_far =
      std::make_shared<const std::vector<Turn>>(std::move(kept.turns));
  std::optional<record::History> unused;
  return QuestionFor(plan, wanted, prompt, &unused);
}

}  // namespace kb::run
