#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::run {

// What goes to a model.
struct PromptChoice {
  std::string prompt = "zero-shot";
  std::string backend = "cuda";
  std::string hardware = "auto";  // a name, "auto" or "none"
};

// Empty strings and options without a value: not said.
struct RunOptions {
  workplace::JudgeOptions judge;
  workplace::SelectionOptions selection;
  PromptChoice prompt;
  std::string model;
  std::string models_file;
  std::optional<int64_t> samples;  // of each problem; 1, of a replay all
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<int64_t> max_tokens;
  std::optional<int64_t> seed;
  std::string reasoning_effort;
  std::optional<int64_t> concurrency;
  std::optional<double> max_cost;  // USD, of the whole run
  bool with_unpriced = false;      // also after answers of unknown cost
  std::vector<std::string> baselines{"eager"};
  bool generate_only = false;
  bool dry_run = false;  // only say what would be asked, and its cost
};

// Asks the model for what the run still lacks, judges it at the same time,
// times the baselines and prints the scores; with `generate_only` it only asks.
// All is in the store as soon as it is there, so that the same call goes on
// after any end. The exit code; errors are printed.
int Run(const RunOptions& options);

}  // namespace kb::run
