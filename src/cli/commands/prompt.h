#pragma once

#include <string>

#include "command.h"
#include "shared_options.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct PromptOptions {
  workplace::JudgeOptions judge;
  PromptChoice prompt;
  std::string problem;  // of show
};

void AddPrompt(CLI::App* program, PromptOptions* options, Call* call);

}  // namespace kb::cli
