#pragma once

#include "record/decision.h"

namespace kb::search {

// Whether a conversation can go on after that answer.
bool GoesOn(const record::Told& told);

}  // namespace kb::search
