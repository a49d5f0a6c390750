#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What goes to a model.
struct PromptChoice {
  std::string prompt = "zero-shot";
  std::string backend = "cuda";
  std::string hardware = "auto";  // a name, "auto" or "none"
};

// Options that several commands have. In all structs of options an empty
// string, and an option without a value, means that nothing was said.
void AddFit(CLI::App* command, std::optional<uint64_t>* fit);
void AddQuiet(CLI::App* command);
void AddSelection(CLI::App* command, workplace::SelectionOptions* options);
void AddJudgeOptions(CLI::App* command, workplace::JudgeOptions* options);
void AddPromptChoice(CLI::App* command, PromptChoice* choice);
// What a prompt is about where nothing is judged.
void AddPromptPlace(CLI::App* command, workplace::JudgeOptions* options);

}  // namespace kb::cli
