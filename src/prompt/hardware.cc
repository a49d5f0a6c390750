#include "hardware.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "fields.h"
#include "prompt/prompt.h"
#include "template.h"

namespace kb::prompt {

using base::Result;
using base::Usage;

namespace {

constexpr std::array<std::string_view, 7> kTexts{
    "name",       "variant",      "vendor",
    "unit",       "architecture", "compute_capability",
    "memory_type"};
constexpr std::array<std::string_view, 14> kNumbers{
    "sms",         "memory_gb",        "bandwidth_gbps",
    "l2_mb",       "shared_kb_per_sm", "shared_kb_per_block",
    "boost_mhz",   "registers_per_sm", "max_threads_per_sm",
    "fp32_tflops", "tf32_tflops",      "fp16_tflops",
    "bf16_tflops", "fp8_tflops"};

struct Entry {
  Hardware facts;
  Texts texts;  // every field as the block shows it
  std::vector<std::string> match;
};

struct HardwareFile {
  Template block;
  std::vector<Entry> entries;
};

Result<Entry> ReadEntry(const std::string& path, const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr)
    return Usage("{}:{}: hardware must be tables: [[hardware]]", path,
                 node.source().begin.line);
  Fields fields(path, *table);
  Entry entry;
  for (const std::string_view key : kTexts)
    entry.texts.emplace(key, fields.Text(key));
  std::map<std::string_view, double> numbers;
  for (const std::string_view key : kNumbers) {
    const double number = numbers[key] = fields.Number(key);
    // So that {{#tf32_tflops}} hides what a device cannot do.
    entry.texts.emplace(key, number == 0 ? "" : fmt::format("{}", number));
  }
  entry.texts.emplace("note", fields.OptionalText("note"));
  fields.Text("source");
  entry.match = fields.Texts("match");
  KB_TRY(fields.Done());
  entry.facts = {entry.texts["name"],       numbers["memory_gb"],
                 numbers["bandwidth_gbps"], numbers["fp32_tflops"],
                 numbers["tf32_tflops"],    numbers["fp16_tflops"],
                 numbers["bf16_tflops"]};
  return entry;
}

Names NamesInBlock() {
  Names names;
  names.texts.insert(kTexts.begin(), kTexts.end());
  names.texts.insert(kNumbers.begin(), kNumbers.end());
  names.texts.insert("note");
  return names;
}

Result<HardwareFile> ReadHardware(const std::string& folder) {
  const std::string path = folder + "/hardware.toml";
  KB_ASSIGN(const toml::table table, ReadToml(path));
  Fields fields(path, table);
  const std::string block = fields.Text("block");
  const toml::node* list = fields.Take("hardware");
  KB_TRY(fields.Done());
  HardwareFile file;
  KB_ASSIGN(file.block, Template::Parse(block, NamesInBlock(), path,
                                        fields.LineOfText("block")));
  if (!list->is_array())
    return Usage("{}:{}: hardware must be tables: [[hardware]]", path,
                 list->source().begin.line);
  for (const toml::node& node : *list->as_array()) {
    KB_ASSIGN(Entry entry, ReadEntry(path, node));
    file.entries.push_back(std::move(entry));
  }
  return file;
}

std::vector<std::string> NamesOf(const HardwareFile& file) {
  std::vector<std::string> names;
  for (const Entry& entry : file.entries) names.push_back(entry.facts.name);
  return names;
}

// Also as the driver calls it.
Result<Entry> FindEntry(const HardwareFile& file, const std::string& name) {
  constexpr std::string_view kMaker = "NVIDIA ";
  std::string_view model = name;
  if (model.starts_with(kMaker)) model.remove_prefix(kMaker.size());
  const auto it = std::ranges::find(
      file.entries, model, [](const Entry& entry) { return entry.facts.name; });
  if (it == file.entries.end())
    return Usage("no hardware is called \"{}\"; there are {}", name,
                 fmt::join(NamesOf(file), ", "));
  return *it;
}

// "NVIDIA L4" ends with "L4", "NVIDIA L40" and "NVIDIA XL4" do not.
bool EndsWithWords(std::string_view name, std::string_view words) {
  if (!name.ends_with(words)) return false;
  name.remove_suffix(words.size());
  return name.empty() || name.back() == ' ';
}

}  // namespace

Result<std::vector<std::string>> HardwareNames(const std::string& folder) {
  KB_ASSIGN(const HardwareFile file, ReadHardware(folder));
  return NamesOf(file);
}

Result<std::string> ArchitectureOf(const std::string& folder,
                                   const std::string& name) {
  KB_ASSIGN(const HardwareFile file, ReadHardware(folder));
  KB_ASSIGN(const Entry entry, FindEntry(file, name));
  return entry.texts.at("architecture");
}

Result<std::string> HardwareBlock(const std::string& folder,
                                  const std::string& name) {
  KB_ASSIGN(const HardwareFile file, ReadHardware(folder));
  KB_ASSIGN(const Entry entry, FindEntry(file, name));
  Values values;
  values.texts = entry.texts;
  return std::string(base::Trim(Join(file.block.Render(values))));
}

Result<std::string> HardwareFor(const std::string& folder,
                                const std::string& device_name) {
  KB_ASSIGN(const HardwareFile file, ReadHardware(folder));
  const std::string_view name = base::Trim(device_name);
  for (const Entry& entry : file.entries)
    for (const std::string& words : entry.match)
      if (EndsWithWords(name, words)) return entry.facts.name;
  return std::string();
}

Result<Hardware> HardwareFacts(const std::string& folder,
                               const std::string& name) {
  KB_ASSIGN(const HardwareFile file, ReadHardware(folder));
  KB_ASSIGN(const Entry entry, FindEntry(file, name));
  return entry.facts;
}

}  // namespace kb::prompt
