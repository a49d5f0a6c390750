#include "model_file.h"

#include <toml++/toml.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/nesting.h"
#include "providers.h"

namespace kb::llm {
namespace {

using base::Json;
using base::Ok;
using base::Result;
using base::Usage;

constexpr std::array<std::string_view, 6> kSecretNames{
    "key", "api_key", "apikey", "token", "secret", "password"};
constexpr int kMaxDepth = 16;

// A value of `extra` as JSON; toml++ is built without its own formatters.
std::optional<Json> JsonOf(const toml::node& node, int depth = 0) {
  if (depth > kMaxDepth) return std::nullopt;
  if (const auto truth = node.value_exact<bool>()) return Json(*truth);
  if (const auto integer = node.value_exact<int64_t>()) return Json(*integer);
  if (const auto number = node.value_exact<double>()) return Json(*number);
  if (const auto text = node.value_exact<std::string>()) return Json(*text);
  if (const toml::array* items = node.as_array()) {
    Json list = Json::array();
    for (const toml::node& item : *items) {
      auto value = JsonOf(item, depth + 1);
      if (!value) return std::nullopt;
      list.push_back(std::move(*value));
    }
    return list;
  }
  const toml::table* table = node.as_table();
  if (table == nullptr) return std::nullopt;
  Json object = Json::object();
  for (const auto& [name, item] : *table) {
    auto value = JsonOf(item, depth + 1);
    if (!value) return std::nullopt;
    object[std::string(name.str())] = std::move(*value);
  }
  return object;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  Result<std::map<std::string, Model>> Read(const std::string& text) {
    if (const auto deep = base::DeepToml(text))
      return Usage("{}:{}: {}", path_, deep->line, deep->message);
    const toml::parse_result parsed = toml::parse(text, path_);
    if (!parsed)
      return Usage("{}:{}: not valid TOML: {}", path_,
                   parsed.error().source().begin.line,
                   parsed.error().description());
    std::map<std::string, Model> models;
    for (const auto& [key, node] : parsed.table()) {
      const toml::table* tables = node.as_table();
      if (key.str() != "models" || tables == nullptr)
        return Usage(
            "{}: unknown key \"{}\"; models are written as "
            "[models.NAME]",
            Place(node), key.str());
      for (const auto& [name, model] : *tables) {
        const std::string id(name.str());
        KB_ASSIGN(models[id], ReadModel(id, model));
      }
    }
    return models;
  }

 private:
  std::string Place(const toml::node& node) const {
    return fmt::format("{}:{}", path_, node.source().begin.line);
  }

  Result<Model> ReadModel(const std::string& name, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      return Usage("{}: \"{}\" is not a table; write [models.{}]", Place(node),
                   name, name);
    Model model;
    model.name = name;
    KB_TRY(ReadProvider(*table, &model));
    for (const auto& [key, value] : *table)
      if (key.str() != "provider")
        KB_TRY(ReadField(std::string(key.str()), value, &model));
    return model;
  }

  // First, because the other fields replace what its row says. The row's key
  // belongs to the row's address: elsewhere it is not sent unless named.
  Result<void> ReadProvider(const toml::table& table, Model* model) {
    const toml::node* node = table.get("provider");
    if (node == nullptr)
      return Usage(
          "{}: [models.{}] has no provider; write provider = one of "
          "{}",
          Place(table), model->name, ProviderNames());
    const auto name = node->value_exact<std::string>();
    const ProviderRow* row = name ? FindProviderRow(*name) : nullptr;
    if (row == nullptr)
      return Usage("{}: \"{}\" is not a provider; the providers are {}",
                   Place(*node), name.value_or("?"), ProviderNames());
    model->provider = row->kind;
    model->base_url = row->base_url;
    const toml::node* address = table.get("base_url");
    if (address == nullptr || address->value_or(std::string()) == row->base_url)
      if (!table.contains("key_file")) model->key_env = row->key_env;
    return Ok();
  }

  Result<void> ReadField(const std::string& key, const toml::node& value,
                         Model* model) {
    for (const std::string_view secret : kSecretNames)
      if (key == secret)
        return Usage(
            "{}: \"{}\": a key does not belong in this file; put it "
            "in an environment variable and write key_env = "
            "\"NAME\", or into a file of mode 600 and write "
            "key_file = \"PATH\"",
            Place(value), key);
    if (std::string* text = TextField(key, model))
      return ReadText(key, value, text);
    if (int64_t* count = CountField(key, model))
      return ReadCount(key, value, count);
    if (auto* count = OptionalCountField(key, model)) {
      *count = 0;
      return ReadCount(key, value, &**count);
    }
    if (auto* number = OptionalNumberField(key, model)) {
      *number = 0;
      return ReadNumber(key, value, &**number);
    }
    if (key == "idle_seconds")
      return ReadNumber(key, value, &model->idle_seconds);
    if (key == "total_seconds")
      return ReadNumber(key, value, &model->total_seconds);
    if (key == "command") return ReadCommand(value, model);
    if (key == "extra") return ReadExtra(value, model);
    return Usage(
        "{}: unknown key \"{}\"; the keys are provider, model, base_url, "
        "key_env, key_file, temperature, top_p, max_tokens, seed, "
        "reasoning_effort, thinking_tokens, extra, concurrency, idle_seconds, "
        "total_seconds, attempts, price, context_tokens, command, conversation "
        "and replay",
        Place(value), key);
  }

  static std::string* TextField(const std::string& key, Model* model) {
    if (key == "model") return &model->model;
    if (key == "base_url") return &model->base_url;
    if (key == "key_env") return &model->key_env;
    if (key == "key_file") return &model->key_file;
    if (key == "reasoning_effort") return &model->reasoning_effort;
    if (key == "price") return &model->price;
    if (key == "replay") return &model->replay;
    if (key == "conversation") return &model->conversation;
    return nullptr;
  }

  static int64_t* CountField(const std::string& key, Model* model) {
    if (key == "concurrency") return &model->concurrency;
    if (key == "attempts") return &model->attempts;
    return nullptr;
  }

  static std::optional<int64_t>* OptionalCountField(const std::string& key,
                                                    Model* model) {
    if (key == "max_tokens") return &model->max_tokens;
    if (key == "seed") return &model->seed;
    if (key == "thinking_tokens") return &model->thinking_tokens;
    if (key == "context_tokens") return &model->context_tokens;
    return nullptr;
  }

  static std::optional<double>* OptionalNumberField(const std::string& key,
                                                    Model* model) {
    if (key == "temperature") return &model->temperature;
    if (key == "top_p") return &model->top_p;
    return nullptr;
  }

  Result<void> ReadText(const std::string& key, const toml::node& value,
                        std::string* text) {
    const auto read = value.value_exact<std::string>();
    if (!read) return Usage("{}: {} must be text in quotes", Place(value), key);
    *text = *read;
    return Ok();
  }

  Result<void> ReadCount(const std::string& key, const toml::node& value,
                         int64_t* count) {
    const auto read = value.value_exact<int64_t>();
    if (!read) return Usage("{}: {} must be a whole number", Place(value), key);
    *count = *read;
    return Ok();
  }

  Result<void> ReadNumber(const std::string& key, const toml::node& value,
                          double* number) {
    const auto read = value.value<double>();
    if (!read || !std::isfinite(*read))
      return Usage("{}: {} must be a number", Place(value), key);
    *number = *read;
    return Ok();
  }

  Result<void> ReadCommand(const toml::node& value, Model* model) {
    const toml::array* words = value.as_array();
    if (words == nullptr)
      return Usage("{}: command must be a list, e.g. [\"prog\", \"--flag\"]",
                   Place(value));
    for (const toml::node& word : *words) {
      const auto text = word.value_exact<std::string>();
      if (!text)
        return Usage("{}: a word of the command must be text in quotes",
                     Place(word));
      model->command.push_back(*text);
    }
    return Ok();
  }

  Result<void> ReadExtra(const toml::node& value, Model* model) {
    const toml::table* fields = value.as_table();
    if (fields == nullptr)
      return Usage(
          "{}: extra must be a table of further fields, e.g. "
          "{{ top_k = 20 }}",
          Place(value));
    for (const auto& [name, field] : *fields) {
      const auto json = JsonOf(field);
      if (!json)
        return Usage(
            "{}: extra: {} must be a number, text, true, false, or a "
            "list or table of these",
            Place(field), name.str());
      model->extra[std::string(name.str())] = base::DumpJson(*json);
    }
    return Ok();
  }

  std::string path_;
};

}  // namespace

Result<std::map<std::string, Model>> ReadModels(const std::string& path,
                                                const std::string& text) {
  return Reader(path).Read(text);
}

}  // namespace kb::llm
