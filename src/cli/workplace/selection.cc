#include "workplace/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace kb::workplace {
namespace {

using base::Result;

bool IsBelow(const std::string& id, const std::string& level) {
  const size_t number = level.rfind('/') + 1;  // 0: there is none
  return id.starts_with(level + "/") ||
         id.starts_with(level.substr(0, number) + "level" +
                        level.substr(number) + "/");
}

std::vector<record::Size> WantedOf(const problems::Entry& entry,
                                   const record::Size& size) {
  if (size.IsSeveral()) return problems::SizesOf(entry, size);
  return {size};
}

bool Lacks(const problems::Entry& entry, const record::Size& size) {
  for (const record::Size& wanted : WantedOf(entry, size))
    if (wanted.IsNamed() &&
        std::ranges::find(entry.sizes, wanted) == entry.sizes.end())
      return true;
  return false;
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

Result<std::vector<problems::Entry>> SelectedAt(
    const record::Size& size, const problems::Pack& pack,
    const SelectionOptions& options) {
  KB_ASSIGN(std::vector<problems::Entry> entries, Selected(pack, options));
  std::vector<std::string> lacking;
  for (const problems::Entry& entry : entries)
    if (Lacks(entry, size)) lacking.push_back(entry.id);
  if (lacking.empty()) return entries;
  const std::string size_name = record::SizeName(size);
  if (lacking.size() == entries.size())
    return base::Usage(
        "--size {}: none of the selected problems has this size; {} has {}, "
        "and kernelbench problems show ID lists a problem's",
        size_name, entries.front().id,
        fmt::join(problems::SizeNamesOf(entries.front()), ", "));
  return base::Usage(
      "--size {}: {} of the {} selected problems lack this size: {}", size_name,
      lacking.size(), entries.size(), fmt::join(lacking, ", "));
}

Result<ProblemAtSizes> LoadAt(const problems::Pack& pack, const std::string& id,
                              const record::Size& size, uint64_t fit_bytes) {
  KB_ASSIGN(const problems::Entry entry, pack.Find(id));
  const std::vector<record::Size> sizes = WantedOf(entry, size);
  KB_ASSIGN(record::Problem first, pack.Load(id, sizes.front(), fit_bytes));
  ProblemAtSizes at{std::move(first), {}};
  for (size_t i = 1; i < sizes.size(); ++i) {
    KB_ASSIGN(at.further.emplace_back(), pack.Load(id, sizes[i]));
  }
  return at;
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
