#pragma once

#include <string>

#include "command.h"

namespace kb::cli {

struct CompletionOptions {
  std::string shell;
};

// What is made of the help of all commands.
void AddCompletion(Command* program, CompletionOptions* options, Call* call);
void AddManual(Command* program, Call* call);

}  // namespace kb::cli
