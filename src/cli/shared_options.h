#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/scores.h"
#include "base/result.h"
#include "command.h"
#include "problems/pack.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What goes to a model.
struct PromptChoice {
  std::string prompt = "one-shot";
  std::string backend = "cuda";
  std::string hardware = "auto";  // a name, "auto" or "none"
};

// How samples go on after their first answer.
struct ConversationChoice {
  // "10", "level1=10" and so on, or "selection": those of the selection.
  std::vector<std::string> turns;
  double minutes = 0;  // of a sample; 0: no limit
  std::string history = "whole";
  std::string feedback = "all";           // its layers
  std::string feedback_text = "default";  // name of a file, or its path
  std::string search;                     // empty: none
  std::string search_text = "default";    // name of a file, or its path
  std::string from;                       // RUN/SAMPLE[:TURN]; empty: nothing
  std::string allocation = "uniform";     // or "halving"
};
// Whether a problem's level is called so: "level1" and "1" of level1/19.
bool IsOfLevel(const std::string& problem_id, const std::string& level);
// For how long a sample of that problem may go on; 0 seconds: no limit.
// `of_selection`: what the selection says of it; null: nothing. A usage Error
// names what is wrong.
base::Result<problems::Limits> LimitsOf(const ConversationChoice& choice,
                                        const std::string& problem_id,
                                        const problems::Limits* of_selection);

// How runs are scored.
struct ScoringChoice {
  std::vector<double> ps = analysis::ScoreOptions().ps;
  std::vector<int64_t> ks = analysis::ScoreOptions().ks;
  std::string by = "run";
  std::string time = "device";  // or "wall"
};
// A usage Error names the option that is wrong. `baselines`: what speedups are
// over.
base::Result<analysis::ScoreOptions> ScoringOf(
    const ScoringChoice& choice, const std::vector<std::string>& baselines);

// Options that several commands have. In all structs of options an empty
// string, and an option without a value, means that nothing was said.
void AddFit(Command* command, std::optional<uint64_t>* fit);
void AddQuiet(Command* command);
void AddSelection(Command* command, workplace::SelectionOptions* options);
void AddJudgeOptions(Command* command, workplace::JudgeOptions* options);
// --as: beside them where candidates are judged.
void AddAs(Command* command, workplace::JudgeOptions* options);
void AddScoring(Command* command, ScoringChoice* choice);
void AddPromptChoice(Command* command, PromptChoice* choice);
void AddConversation(Command* command, ConversationChoice* choice);
// Those of them that say what a later turn shows.
void AddFeedback(Command* command, ConversationChoice* choice);
// What a prompt is about where nothing is judged.
void AddPromptPlace(Command* command, workplace::JudgeOptions* options);

}  // namespace kb::cli
