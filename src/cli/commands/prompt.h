#pragma once

#include <cstdint>
#include <string>

#include "command.h"
#include "knowledge.h"
#include "shared_options.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct PromptOptions {
  workplace::JudgeOptions judge;
  PromptChoice prompt;
  ConversationChoice conversation;
  KnowledgeChoice knowledge;
  std::string problem;  // of show
  std::string from;     // RUN/SAMPLE
  int64_t turn = 1;
};

void AddPrompt(Command* program, PromptOptions* options, Call* call);

}  // namespace kb::cli
