#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "knowledge.h"
#include "run/budget.h"
#include "shared_options.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

struct RunOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  PromptChoice prompt;
  ConversationChoice conversation;
  KnowledgeChoice knowledge;
  std::string model;
  std::string models_file;
  std::optional<int64_t> samples;  // of each problem; 1, of a replay all
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<int64_t> max_tokens;
  std::optional<int64_t> seed;
  std::string reasoning_effort;
  std::optional<int64_t> concurrency;
  run::Budget budget;          // of the whole run
  bool with_unpriced = false;  // also after answers of unknown cost
  // Empty: as the selection says, else eager.
  std::vector<std::string> baselines;
  ScoringChoice scoring;
  bool generate_only = false;
  std::string profile_run;  // a file; empty: none
  bool dry_run = false;     // only say what would be asked, and its cost
};

void AddRun(Command* program, RunOptions* options, Call* call);
void AddGenerate(Command* program, RunOptions* options, Call* call);

}  // namespace kb::cli
