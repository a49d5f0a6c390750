#pragma once

#include "base/result.h"
#include "run/asking.h"
#include "store/store.h"

namespace kb::run {

// What turn `turn` of a sample asked, or would ask: from what the store has of
// the turns before it, for the plan's model, writer and conversation. A usage
// Error when these turns are not all there and judged.
base::Result<llm::Question> QuestionOfTurn(const store::Store& store,
                                           const AskingPlan& plan,
                                           Wanted wanted, int64_t turn);

}  // namespace kb::run
