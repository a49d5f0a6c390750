#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "run/asking.h"
#include "store/store.h"

namespace kb::run {

struct TurnQuestion {
  llm::Question question;
  std::vector<record::ShownProgram> shown;  // programs in it
};

// What turn `turn` of a sample asked, or would ask: from what the store has of
// the turns before it, for the plan's model, writer and conversation. A usage
// Error when these turns are not all there and judged.
base::Result<TurnQuestion> QuestionOfTurn(const store::Store& store,
                                          const AskingPlan& plan, Wanted wanted,
                                          int64_t turn);

}  // namespace kb::run
