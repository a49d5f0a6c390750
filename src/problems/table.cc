#include "table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/text.h"
#include "os/files.h"

namespace kb::problems {
namespace {

using base::Json;
using base::Result;

// All problems with sources and answers of a large export.
constexpr uint64_t kMaxTableBytes = uint64_t{512} << 20;

constexpr std::string_view kSourceColumns[] = {
    "code", "source", "ref_arch_src", "pytorch_code", "PyTorch_Code_Module"};
constexpr std::string_view kLevelColumns[] = {"level", "Level_ID"};
constexpr std::string_view kIdColumns[] = {"problem_id", "id", "Task_ID"};
constexpr std::string_view kNameColumns[] = {"name", "problem_name", "Op_Name"};

// The first of the columns that the row has, as text.
std::optional<std::string> Field(const Json& row,
                                 std::span<const std::string_view> columns) {
  for (const std::string_view column : columns) {
    const auto found = row.find(std::string(column));
    if (found == row.end() || found->is_null()) continue;
    return found->is_string() ? found->get<std::string>()
                              : base::DumpJson(*found);
  }
  return std::nullopt;
}

bool HasOnly(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

constexpr std::string_view kDigits = "0123456789";
// Ids become parts of paths.
constexpr std::string_view kIdLetters =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";

// "level_1", "level1" and "1" are the same.
Result<std::string> LevelNumber(std::string_view text) {
  for (const std::string_view prefix : {"level_", "level"})
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  if (!HasOnly(text, kDigits))
    return base::Fail("the level is no number: \"{}\"", base::Printable(text));
  return std::string(text);
}

// Fit for a terminal.
std::string OneLine(const std::string& text) {
  std::string line = base::Printable(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

// "23_Softmax" -> "23", "Softmax (large)" -> "Softmax__large_"
std::string IdFromName(std::string name) {
  const size_t end = name.find_first_not_of(kDigits);
  if (end != 0 && end != std::string::npos && name[end] == '_')
    return name.substr(0, end);
  for (char& c : name)
    if (kIdLetters.find(c) == std::string_view::npos) c = '_';
  return name;
}

Result<Row> RowFromJson(const std::string& line, int number) {
  KB_ASSIGN(const Json json, base::ParseJson(line, "the row"));
  if (!json.is_object()) return base::Fail("the row is not a JSON object");
  const auto source = Field(json, kSourceColumns);
  if (!source)
    return base::Fail("the row has no column with the source; it is called {}",
                      fmt::join(kSourceColumns, ", "));
  Row row;
  row.number = number;
  row.source = *source;
  KB_ASSIGN(row.level, LevelNumber(Field(json, kLevelColumns).value_or("")));
  row.id = Field(json, kIdColumns).value_or("");
  if (!HasOnly(row.id, kIdLetters))
    return base::Fail("the id may have letters, digits, _ and - only: \"{}\"",
                      base::Printable(row.id));
  row.name = OneLine(Field(json, kNameColumns).value_or(""));
  if (row.id.empty()) row.id = IdFromName(row.name);
  return row;
}

}  // namespace

bool IsTable(const std::string& path) {
  return path.ends_with(".jsonl") || path.ends_with(".parquet");
}

Result<std::vector<Row>> ReadTable(
    const std::string& path, const Pack::ParquetReader& parquet,
    const std::function<void(int, const std::string&)>& complain) {
  std::string lines;
  if (path.ends_with(".parquet")) {
    if (!parquet)
      return base::Usage(
          "{}: Parquet cannot be read here; convert it to "
          "JSON Lines",
          path);
    KB_ASSIGN(lines, parquet(path));
  } else {
    KB_ASSIGN(lines, os::ReadFile(path, kMaxTableBytes));
  }
  std::vector<Row> rows;
  int number = 0;
  for (const std::string& line : base::Split(lines, '\n')) {
    ++number;
    if (base::Trim(line).empty()) continue;
    auto row = RowFromJson(line, number);
    if (row)
      rows.push_back(std::move(*row));
    else
      complain(number, row.error().message());
  }
  return rows;
}

}  // namespace kb::problems
