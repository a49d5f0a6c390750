#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kb::llm {

enum class ProviderKind { kOpenAi, kAnthropic, kGemini, kCommand, kReplay };

// A model with its settings, as models.toml names it (docs/models.md). What is
// absent is left to the provider's default and not sent.
struct Model {
  std::string name;  // of its table
  ProviderKind provider = ProviderKind::kOpenAi;
  std::string model;     // what the API is asked for
  std::string base_url;  // up to and without the last path, e.g. ".../v1"
  std::string key_env;   // variable that holds the key; empty: none needed
  std::string key_file;  // or the file; must not be readable by others
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<int64_t> max_tokens;
  std::optional<int64_t> seed;  // sample i is asked with seed + i
  std::string reasoning_effort;
  std::optional<int64_t> thinking_tokens;    // Anthropic, Gemini
  std::map<std::string, std::string> extra;  // further fields, as JSON text
  int64_t concurrency = 8;
  double idle_seconds = 300;    // without a byte
  double total_seconds = 3600;  // for one answer
  int64_t attempts = 6;
  std::string price;                 // id in the price table; empty: `model`
  std::vector<std::string> command;  // kCommand
  // How a command is spoken to: "text", "json" or "episode" (docs/models.md).
  std::string conversation;
  // Tokens of a prompt and its answer; absent: kContextTokens.
  std::optional<int64_t> context_tokens;
  std::string replay;  // kReplay: folder or run

  // Everything that changes answers, for the run's manifest; no key.
  base::Json Settings() const;
};

// What a model of which nothing is said can read and write in one question.
constexpr int64_t kContextTokens = 128000;

// Changes of the command line.
struct ModelChanges {
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<int64_t> max_tokens;
  std::optional<int64_t> seed;
  std::string reasoning_effort;
  std::optional<int64_t> concurrency;
};

// The model called `name` in the first of `files` that has it. Besides, without
// a file: "openai:NAME", "anthropic:NAME", "gemini:NAME", "openrouter:NAME",
// ... (the rows of providers.cc), "command:PROGRAM ARG..." and "replay:PATH".
base::Result<Model> FindModel(const std::string& name,
                              const std::vector<std::string>& files,
                              const ModelChanges& changes);

}  // namespace kb::llm
