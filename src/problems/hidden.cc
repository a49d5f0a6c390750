#include "hidden.h"

#include <fmt/format.h>

#include <algorithm>

#include "problems/overrides.h"
#include "python_outline.h"
#include "source_check/source_text.h"

namespace kb::problems {
namespace {

using base::Result;

constexpr const char* kBatch = "batch_size";

// The name of the definition that the line belongs to; empty: none.
std::string EnclosingOf(const PythonOutline& outline, int line) {
  std::string name;
  for (const Definition& definition : outline.definitions)
    if (definition.line <= line) name = definition.name;
  for (const Assignment& assignment : outline.assignments)
    if (assignment.line == line) name.clear();
  return name;
}

// Lines of code that name it, not counting comments and texts.
std::vector<int> LinesWith(const std::string& source, const std::string& word) {
  const std::string code =
      source_check::CodeOnly(source, source_check::Language::kPython);
  const auto is_part = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  };
  std::vector<int> lines;
  for (size_t at = code.find(word); at != std::string::npos;
       at = code.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at > 0 && is_part(code[at - 1])) ||
        (end < code.size() && is_part(code[end])))
      continue;
    const auto begin = code.begin();
    lines.push_back(1 + static_cast<int>(std::count(
                            begin, begin + static_cast<int64_t>(at), '\n')));
  }
  return lines;
}

}  // namespace

std::vector<std::string> HiddenByRule(const std::string& source) {
  if (!IntegerConstant(source, kBatch)) return {};
  const PythonOutline outline = OutlineOf(source);
  bool drawn = false;
  for (const int line : LinesWith(source, kBatch)) {
    const bool own = std::ranges::any_of(
        outline.assignments, [&](const Assignment& assignment) {
          return assignment.name == kBatch && assignment.line == line;
        });
    if (own) continue;
    if (EnclosingOf(outline, line) != "get_inputs") return {};
    drawn = true;
  }
  return drawn ? std::vector<std::string>{kBatch} : std::vector<std::string>();
}

Result<record::HiddenSize> HiddenSizeOf(
    const std::string& source, const std::vector<std::string>& constants) {
  record::HiddenSize hidden;
  Overrides larger;
  for (const std::string& name : constants) {
    KB_ASSIGN(const int64_t shown, IntegerConstant(source, name));
    const int64_t value = shown + shown / 16 + 1;
    larger[name] = record::Value{value};
    hidden.name +=
        fmt::format("{}{} = {}", hidden.name.empty() ? "" : ", ", name, value);
  }
  KB_ASSIGN(hidden.source, ApplyOverrides(source, larger));
  return hidden;
}

}  // namespace kb::problems
