#include "llm/model.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/text.h"
#include "model_file.h"
#include "os/files.h"
#include "providers.h"

namespace kb::llm {
namespace {

using base::Json;
using base::Ok;
using base::Result;
using base::Usage;

// No model reads or writes as much.
constexpr int64_t kMostTokensSet = 1000000000;
constexpr uint64_t kMaxFileBytes = uint64_t{1} << 20;

Result<void> CheckAddress(const Model& model) {
  const std::string& url = model.base_url;
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    return Usage(
        "model {}: base_url \"{}\" must begin with https:// or "
        "http://",
        model.name, url);
  if (url.find_first_of("@?# \t\r\n") != std::string::npos)
    return Usage(
        "model {}: base_url must be a plain address, without a user, "
        "a query or spaces; a key is named by key_env or key_file",
        model.name);
  return Ok();
}

Result<void> CheckNumbers(const Model& model) {
  const auto bad = [&](const char* what) {
    return Usage("model {}: {}", model.name, what);
  };
  if (model.temperature && !(*model.temperature >= 0))
    return bad("temperature must be 0 or more");
  if (model.top_p && !(*model.top_p > 0 && *model.top_p <= 1))
    return bad("top_p must be above 0 and at most 1");
  const auto within = [](const std::optional<int64_t>& tokens, int64_t least) {
    return !tokens || (*tokens >= least && *tokens <= kMostTokensSet);
  };
  if (!within(model.max_tokens, 1))
    return bad("max_tokens must be between 1 and 1000000000");
  if (!within(model.thinking_tokens, 0))
    return bad("thinking_tokens must be between 0 and 1000000000");
  if (!within(model.context_tokens, 1))
    return bad("context_tokens must be between 1 and 1000000000");
  if (model.concurrency < 1 || model.concurrency > 1024)
    return bad("concurrency must be between 1 and 1024");
  if (model.attempts < 1 || model.attempts > 100)
    return bad("attempts must be between 1 and 100");
  // Ten days, so that milliseconds fit everywhere.
  if (!(model.idle_seconds > 0 && model.idle_seconds <= 864000))
    return bad("idle_seconds must be above 0 and at most 864000");
  if (!(model.total_seconds > 0 && model.total_seconds <= 864000))
    return bad("total_seconds must be above 0 and at most 864000");
  return Ok();
}

Result<void> CheckModel(const Model& model) {
  KB_TRY(CheckNumbers(model));
  if (model.provider == ProviderKind::kCommand) {
    if (model.command.empty() || model.command[0].empty())
      return Usage(
          "model {}: no command; write command = [\"PROGRAM\", ...] "
          "or command:PROGRAM",
          model.name);
    if (!model.conversation.empty() && model.conversation != "text" &&
        model.conversation != "json" && model.conversation != "episode")
      return Usage("model {}: conversation {}: use text, json or episode",
                   model.name, model.conversation);
    return Ok();
  }
  if (model.provider == ProviderKind::kReplay) {
    if (model.replay.empty())
      return Usage(
          "model {}: nothing to replay; write replay = \"PATH\" or "
          "replay:PATH",
          model.name);
    return Ok();
  }
  if (model.model.empty())
    return Usage(
        "model {}: no model; write model = \"NAME\" as the provider "
        "calls it",
        model.name);
  if (!model.key_env.empty() && !model.key_file.empty())
    return Usage("model {}: key_env and key_file: give one of them",
                 model.name);
  return CheckAddress(model);
}

void Apply(const ModelChanges& changes, Model* model) {
  if (changes.temperature) model->temperature = changes.temperature;
  if (changes.top_p) model->top_p = changes.top_p;
  if (changes.max_tokens) model->max_tokens = changes.max_tokens;
  if (changes.seed) model->seed = changes.seed;
  if (changes.concurrency) model->concurrency = *changes.concurrency;
  if (!changes.reasoning_effort.empty())
    model->reasoning_effort = changes.reasoning_effort;
}

// "openai:gpt-5"; absent when it has not this form.
std::optional<Model> FromShorthand(const std::string& name) {
  const size_t colon = name.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const ProviderRow* row = FindProviderRow(name.substr(0, colon));
  if (row == nullptr) return std::nullopt;
  const std::string rest(base::Trim(name.substr(colon + 1)));
  Model model;
  model.name = name;
  model.provider = row->kind;
  model.base_url = row->base_url;
  model.key_env = row->key_env;
  if (row->kind == ProviderKind::kReplay) {
    model.replay = rest;
  } else if (row->kind == ProviderKind::kCommand) {
    for (const std::string& word : base::Split(rest, ' '))
      if (!word.empty()) model.command.push_back(word);
  } else {
    model.model = rest;
  }
  return model;
}

Result<Model> Finished(Model model, const ModelChanges& changes) {
  while (model.base_url.ends_with('/')) model.base_url.pop_back();
  Apply(changes, &model);
  KB_TRY(CheckModel(model));
  return model;
}

tl::unexpected<base::Error> NoSuchModel(const std::string& name,
                                        const std::string& known) {
  return Usage(
      "no model is called \"{}\"; {}, or write PROVIDER:NAME with one of the "
      "providers {}",
      name,
      known.empty() ? "the model files that were looked at have none"
                    : "there are " + known,
      ProviderNames());
}

}  // namespace

Json Model::Settings() const {
  Json json{{"provider", ProviderKindName(provider)}};
  const auto add = [&](const char* key, const auto& value) {
    if (!value.empty()) json[key] = value;
  };
  const auto add_number = [&](const char* key, const auto& value) {
    if (value) json[key] = *value;
  };
  add("model", model);
  add("base_url", base_url);
  add_number("temperature", temperature);
  add_number("top_p", top_p);
  add_number("max_tokens", max_tokens);
  add_number("seed", seed);
  add("reasoning_effort", reasoning_effort);
  add_number("thinking_tokens", thinking_tokens);
  for (const auto& [field, text] : extra)
    json["extra"][field] = base::ParseJson(text, field).value_or(Json(text));
  add("command", command);
  add("conversation", conversation);
  add_number("context_tokens", context_tokens);
  add("replay", replay);
  return json;
}

Result<Model> FindModel(const std::string& name,
                        const std::vector<std::string>& files,
                        const ModelChanges& changes) {
  std::string known;
  for (const std::string& path : files) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    KB_ASSIGN(const std::string text, os::ReadFile(path, kMaxFileBytes));
    KB_ASSIGN(const auto models, ReadModels(path, text));
    const auto found = models.find(name);
    if (found != models.end()) return Finished(found->second, changes);
    for (const auto& [other, model] : models)
      known += (known.empty() ? "" : ", ") + other;
  }
  if (auto model = FromShorthand(name))
    return Finished(std::move(*model), changes);
  return NoSuchModel(name, known);
}

}  // namespace kb::llm
