#pragma once

#include "record/outcome.h"

namespace kb::analysis {

// A correct outcome whose time is below the floor that its result carries
// becomes not certified, as it would when it is judged: a store may have been
// changed, or be older than the rule.
void RefuseImpossible(record::Outcome* outcome);

}  // namespace kb::analysis
