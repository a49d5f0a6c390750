#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "command.h"
#include "prompt/search.h"
#include "record/problem.h"
#include "run/conversation.h"
#include "run/run.h"
#include "shared_options.h"

namespace kb::cli {

// RUN/SAMPLE or RUN/SAMPLE:TURN, where RUN may be a path.
struct TurnName {
  std::string run;
  int64_t sample = 0;
  std::optional<int64_t> turn;
};
base::Result<TurnName> ParseTurnName(const std::string& option,
                                     const std::string& text);

void AddSearch(Command* command, ConversationChoice* choice);

base::Result<prompt::SearchWriter> ChooseSearchTexts(
    const ConversationChoice& choice, const std::string& backend);

// What a search adds to how samples go on; `texts` is kept by the caller.
// Nothing where no search was asked for. No earlier run is read of what is held
// out: a usage Error where that is asked for.
base::Result<void> AddSearchTo(const ConversationChoice& choice,
                               const std::vector<run::Wanted>& samples,
                               const std::set<std::string>& held_out,
                               const std::string& backend,
                               std::optional<prompt::SearchWriter>* texts,
                               run::ConversationPlan* conversation,
                               run::RunPlan* plan);

}  // namespace kb::cli
