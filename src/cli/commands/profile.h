#pragma once

#include "commands/eval.h"

namespace kb::cli {

void AddProfile(CLI::App* program, EvalOptions* options, Call* call);

}  // namespace kb::cli
