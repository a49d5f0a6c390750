#include "problems/overrides.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "python_outline.h"

namespace kb::problems {
namespace {

using base::Result;
using base::Usage;

// The one place where `name` gets its value.
Result<Assignment> FindAssignment(const PythonOutline& outline,
                                  const std::string& name) {
  std::vector<Assignment> found;
  std::vector<std::string> others;
  for (const Assignment& assignment : outline.assignments) {
    if (assignment.name == name) found.push_back(assignment);
    if (assignment.replaceable) others.push_back(assignment.name);
  }
  if (found.empty())
    return Usage(
        "there is no constant {} in the first column of the file; those that "
        "can be replaced are: {}",
        name,
        others.empty() ? "none" : fmt::format("{}", fmt::join(others, ", ")));
  if (found.size() > 1)
    return Usage("{} is assigned more than once, in lines {} and {}", name,
                 found[0].line, found[1].line);
  if (!found[0].replaceable)
    return Usage("line {} is not of the plain form {} = value on one line",
                 found[0].line, name);
  return found[0];
}

}  // namespace

Result<std::string> ApplyOverrides(
    const std::string& source, const std::map<std::string, int64_t>& values) {
  const PythonOutline outline = OutlineOf(source);
  std::vector<std::pair<Assignment, int64_t>> edits;
  for (const auto& [name, value] : values) {
    KB_ASSIGN(Assignment assignment, FindAssignment(outline, name));
    edits.emplace_back(std::move(assignment), value);
  }
  // From the end, so that the places that are left stay where they are.
  std::ranges::sort(edits, std::greater(),
                    [](const auto& edit) { return edit.first.value_begin; });
  std::string result = source;
  for (const auto& [assignment, value] : edits)
    result.replace(assignment.value_begin,
                   assignment.value_end - assignment.value_begin,
                   fmt::format("{}", value));
  return result;
}

}  // namespace kb::problems
