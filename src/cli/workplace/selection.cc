#include "workplace/selection.h"

#include <algorithm>
#include <set>

namespace kb::workplace {
namespace {

using base::Result;

bool IsBelow(const std::string& id, const std::string& level) {
  const size_t number = level.rfind('/') + 1;  // 0: there is none
  return id.starts_with(level + "/") ||
         id.starts_with(level.substr(0, number) + "level" +
                        level.substr(number) + "/");
}

}  // namespace

Result<std::vector<problems::Entry>> Selected(const problems::Pack& pack,
                                              const SelectionOptions& options) {
  std::vector<problems::Entry> entries = pack.List();
  if (!options.select.empty()) {
    KB_ASSIGN(entries, pack.Select(options.select));
  }
  std::set<std::string> ids;
  for (const std::string& asked : options.problems) {
    KB_ASSIGN(const problems::Entry entry, pack.Find(asked));
    ids.insert(entry.id);
  }
  std::erase_if(entries, [&](const problems::Entry& entry) {
    const auto below = [&](const std::string& level) {
      return IsBelow(entry.id, level);
    };
    return (!ids.empty() && !ids.contains(entry.id)) ||
           (!options.levels.empty() &&
            std::ranges::none_of(options.levels, below));
  });
  if (entries.empty())
    return base::Usage("no problem is selected; see kernelbench problems list");
  return entries;
}

Result<std::set<std::string>> HeldOut(const problems::Pack& pack,
                                      const std::vector<std::string>& words) {
  std::set<std::string> ids;
  std::set<std::string> names;
  const auto add = [&](const problems::Entry& entry) {
    ids.insert(entry.id);
    names.insert(entry.name);
  };
  for (const std::string& word : words) {
    if (pack.Selections().contains(word)) {
      KB_ASSIGN(const auto entries, pack.Select(word));
      std::ranges::for_each(entries, add);
      continue;
    }
    bool is_level = false;
    for (const problems::Entry& entry : pack.List()) {
      if (!IsBelow(entry.id, word)) continue;
      is_level = true;
      add(entry);
    }
    if (is_level) continue;
    const auto found = pack.Find(word);
    if (!found)
      return base::Usage(
          "--holdout {}: this is no level and no selection, and {}", word,
          found.error().message());
    add(*found);
  }
  names.erase("");
  for (const problems::Entry& entry : pack.List())
    if (names.contains(entry.name)) ids.insert(entry.id);
  return ids;
}

}  // namespace kb::workplace
