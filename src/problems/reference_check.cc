#include "reference_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "edit_distance.h"
#include "python_outline.h"
#include "source_check/source_text.h"

namespace kb::problems {
namespace {

constexpr std::array<const char*, 2> kClasses{"Model", "ModelNew"};
constexpr std::array<const char*, 3> kFunctions{"reference", "module_fn",
                                                "ref_kernel"};

// Without case and underscores, as people misremember names.
std::string Letters(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != '_')
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

Defect Missing(const PythonOutline& outline, const char* keyword,
               const char* name, const char* purpose) {
  for (const auto& found : outline.definitions)
    if (EditDistance(Letters(found.name), Letters(name)) <= 2)
      return {found.line,
              fmt::format("\"{} {}\" must be \"{} {}\" ({})", found.keyword,
                          found.name, keyword, name, purpose)};
  return {0, fmt::format("there is no \"{} {}\" at module level ({})", keyword,
                         name, purpose)};
}

// NumPy's default is another one.
bool NamesOtherFloats(const std::string& source) {
  using source_check::Language;
  constexpr std::string_view kTypes[] = {"float16", "bfloat16", "float64",
                                         "numpy", "set_default_dtype"};
  constexpr std::string_view kMethods[] = {"half", "double"};
  const std::string code = source_check::CodeOnly(source, Language::kPython);
  bool after_dot = false;
  for (const auto& token : source_check::Tokenize(code)) {
    const std::string_view word = token.text;
    if (std::ranges::find(kTypes, word) != std::end(kTypes) ||
        word.starts_with("float8") || word.starts_with("complex") ||
        (after_dot && std::ranges::find(kMethods, word) != std::end(kMethods)))
      return true;
    after_dot = word == ".";
  }
  return false;
}

}  // namespace

CheckedSource CheckSource(const std::string& source) {
  if (source.find('\0') != std::string::npos || !source_check::IsUtf8(source))
    return {"", true, {{0, "the file is not UTF-8 text"}}};
  const PythonOutline outline = OutlineOf(source);
  CheckedSource checked;
  checked.float32_alone = !NamesOtherFloats(source);
  for (const char* name : kClasses)
    if (checked.reference.empty() && outline.Defines("class", name))
      checked.reference = name;
  const bool is_class = !checked.reference.empty();
  for (const char* name : kFunctions)
    if (checked.reference.empty() && outline.Defines("def", name))
      checked.reference = name;
  auto& defects = checked.defects;
  if (checked.reference.empty())
    defects.push_back(Missing(outline, "class", "Model", "the reference"));
  if (!outline.Defines("def", "get_inputs"))
    defects.push_back(
        Missing(outline, "def", "get_inputs", "forward's arguments"));
  const bool needs_init = is_class || checked.reference.empty();
  if (needs_init && !outline.Defines("def", "get_init_inputs"))
    defects.push_back(Missing(outline, "def", "get_init_inputs",
                              "the constructor's arguments; return [] when "
                              "there are none"));
  return checked;
}

}  // namespace kb::problems
