#include "selections.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>

#include "base/nesting.h"
#include "record/baseline.h"
#include "record/policy.h"

namespace kb::problems {
namespace {

int LineOf(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// A list of words; nothing when it is something else.
std::optional<std::vector<std::string>> Words(const toml::node& node) {
  const toml::array* items = node.as_array();
  if (items == nullptr) return std::nullopt;
  std::vector<std::string> words;
  for (const toml::node& item : *items) {
    const auto word = item.value_exact<std::string>();
    if (!word) return std::nullopt;
    words.push_back(*word);
  }
  return words;
}

std::string SetPolicy(const toml::node& value, Selection* selection) {
  const auto name = value.value_exact<std::string>();
  if (!name || !record::NamedPolicy(*name))
    return "policy must be one of " + record::PolicyNames();
  selection->policy = *name;
  return "";
}

std::string SetBaselines(const toml::node& value, Selection* selection) {
  const auto names = Words(value);
  const auto known = [](const std::string& name) {
    return record::ParseBaselineMode(name).has_value();
  };
  if (!names || !std::ranges::all_of(*names, known))
    return "baselines must be a list of " + record::BaselineModeNames();
  selection->baselines = *names;
  return "";
}

std::string SetLimits(const toml::node& value, Selection* selection) {
  const char* wrong =
      "limits must be { \"level1\" = { turns = 10, seconds = 900 } }, with "
      "both "
      "for each level and above 0";
  const toml::table* levels = value.as_table();
  if (levels == nullptr) return wrong;
  for (const auto& [level, node] : *levels) {
    const toml::table* pair = node.as_table();
    if (pair == nullptr || pair->size() != 2) return wrong;
    const Limits limits{(*pair)["turns"].value_or(int64_t{0}),
                        (*pair)["seconds"].value_or(0.0)};
    if (limits.turns < 1 || !(limits.seconds > 0)) return wrong;
    selection->limits.emplace(level.str(), limits);
  }
  return "";
}

// Why the field is wrong; empty: it is not.
std::string SetField(const std::string& field, const toml::node& value,
                     Selection* selection) {
  if (field == "policy") return SetPolicy(value, selection);
  if (field == "baselines") return SetBaselines(value, selection);
  if (field == "limits") return SetLimits(value, selection);
  if (field == "about") {
    const auto text = value.value_exact<std::string>();
    if (!text) return "about must be text";
    selection->about = *text;
    return "";
  }
  std::vector<std::string>* list = nullptr;
  if (field == "levels") list = &selection->levels;
  if (field == "problems") list = &selection->problems;
  if (field == "without") list = &selection->without;
  if (list == nullptr)
    return fmt::format(
        "unknown key \"{}\"; the keys are about, levels, problems, without, "
        "policy, baselines and limits",
        field);
  const auto words = Words(value);
  if (!words) return field + " must be a list of ids or levels, as text";
  *list = *words;
  return "";
}

}  // namespace

std::map<std::string, Selection> ReadSelections(const std::string& path,
                                                const std::string& text,
                                                std::vector<Issue>* issues) {
  if (const auto deep = base::DeepToml(text)) {
    issues->push_back({path, deep->line, deep->message, ""});
    return {};
  }
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    issues->push_back(
        {path, static_cast<int>(parsed.error().source().begin.line),
         fmt::format("not valid TOML: {}", parsed.error().description()), ""});
    return {};
  }
  std::map<std::string, Selection> selections;
  for (const auto& [name, node] : parsed.table()) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      issues->push_back({path, LineOf(node),
                         fmt::format("\"{}\" must be a table", name.str()),
                         ""});
      continue;
    }
    Selection& selection = selections[std::string(name.str())];
    for (const auto& [field, value] : *table) {
      const std::string wrong =
          SetField(std::string(field.str()), value, &selection);
      if (!wrong.empty()) issues->push_back({path, LineOf(value), wrong, ""});
    }
  }
  return selections;
}

}  // namespace kb::problems
