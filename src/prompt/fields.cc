#include "fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/nesting.h"
#include "os/files.h"

namespace kb::prompt {

using base::Result;
using base::Usage;

namespace {

int LineOf(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

}  // namespace

Result<toml::table> ReadToml(const std::string& path) {
  const auto text = os::ReadFile(path, uint64_t{1} << 20);
  if (!text) return Usage("{}", text.error().message());
  if (const auto deep = base::DeepToml(*text))
    return Usage("{}:{}: {}", path, deep->line, deep->message);
  toml::parse_result parsed = toml::parse(*text, path);
  if (!parsed)
    return Usage("{}:{}: not valid TOML: {}", path,
                 parsed.error().source().begin.line,
                 parsed.error().description());
  return std::move(parsed).table();
}

Result<std::vector<std::string>> TomlNames(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error))
    if (it->path().extension() == ".toml")
      names.push_back(it->path().stem().string());
  if (error)
    return base::Fail("cannot list the folder {}: {}", folder, error.message());
  std::ranges::sort(names);
  return names;
}

std::string Fields::Text(std::string_view key) {
  const toml::node* node = Take(key);
  if (node == nullptr) return "";
  const auto text = node->value_exact<std::string>();
  if (!text || text->empty()) Complain(*node, key, "text that is not empty");
  return text.value_or("");
}

std::string Fields::OptionalText(std::string_view key) {
  return table_.contains(key) ? Text(key) : "";
}

std::vector<std::string> Fields::Texts(std::string_view key) {
  std::vector<std::string> texts;
  const toml::node* node = Take(key);
  if (node == nullptr) return texts;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    Complain(*node, key, "a list of texts");
    return texts;
  }
  for (const toml::node& item : *array) {
    const auto text = item.value_exact<std::string>();
    if (text && !text->empty())
      texts.push_back(*text);
    else
      Complain(item, key, "a list of texts");
  }
  return texts;
}

bool Fields::Flag(std::string_view key) {
  const toml::node* node = Take(key);
  if (node == nullptr) return false;
  const auto flag = node->value_exact<bool>();
  if (!flag) Complain(*node, key, "true or false");
  return flag.value_or(false);
}

int64_t Fields::Count(std::string_view key) {
  const toml::node* node = Take(key);
  if (node == nullptr) return 0;
  const auto count = node->value_exact<int64_t>();
  if (!count || *count < 0) Complain(*node, key, "a whole number, 0 or more");
  return count.value_or(0);
}

double Fields::Number(std::string_view key) {
  const toml::node* node = Take(key);
  if (node == nullptr) return 0;
  const auto number = node->is_number() ? node->value<double>() : std::nullopt;
  if (!number || !(*number >= 0)) Complain(*node, key, "a number, 0 or more");
  return number.value_or(0.0);
}

const toml::node* Fields::Take(std::string_view key) {
  taken_.emplace(key);
  const toml::node* node = table_.get(key);
  if (node == nullptr && complaint_.empty())
    complaint_ =
        fmt::format("{}:{}: \"{}\" is missing", path_, LineOf(table_), key);
  return node;
}

Result<void> Fields::Done() {
  for (const auto& [key, node] : table_)
    if (complaint_.empty() && !taken_.contains(key.str()))
      complaint_ =
          fmt::format("{}:{}: unknown key \"{}\"; the keys are {}", path_,
                      LineOf(node), key.str(), fmt::join(taken_, ", "));
  if (!complaint_.empty()) return Usage("{}", complaint_);
  return base::Ok();
}

int Fields::LineOfText(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return 0;
  // TOML drops the newline after the quotes that open a text of many lines.
  const bool many =
      node->value_or(std::string()).find('\n') != std::string::npos;
  return LineOf(*node) + (many ? 1 : 0);
}

void Fields::Complain(const toml::node& at, std::string_view key,
                      std::string_view wanted) {
  if (complaint_.empty())
    complaint_ =
        fmt::format("{}:{}: {} must be {}", path_, LineOf(at), key, wanted);
}

}  // namespace kb::prompt
