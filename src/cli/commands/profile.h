#pragma once

#include "command.h"
#include "commands/eval.h"

namespace kb::cli {

void AddProfile(Command* program, EvalOptions* options, Call* call);

}  // namespace kb::cli
