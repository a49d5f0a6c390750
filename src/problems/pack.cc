#include "problems/pack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "edit_distance.h"
#include "os/files.h"
#include "pack_reader.h"
#include "problems/overrides.h"

namespace kb::problems {
namespace {

using base::Result;
using base::Usage;

std::string WithoutTrailing(std::string text, char letter) {
  while (!text.empty() && text.back() == letter) text.pop_back();
  return text;
}

// As ids and file names are compared: without .py and a last underscore.
std::string Normal(std::string text) {
  if (text.ends_with(".py")) text.resize(text.size() - 3);
  return WithoutTrailing(std::move(text), '_');
}

// "level1/23_Softmax"
std::string LongName(const Entry& entry) {
  const std::string folder = entry.id.substr(0, entry.id.rfind('/') + 1);
  return Normal(folder + std::filesystem::path(entry.path).stem().string());
}

std::string Lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool NamesExactly(const std::string& asked, const Entry& entry) {
  return asked == entry.id || asked == LongName(entry);
}

bool NamesItsEnd(const std::string& asked, const Entry& entry) {
  return entry.id.ends_with("/" + asked) ||
         LongName(entry).ends_with("/" + asked);
}

// The entries that `asked` (a Normal name) may mean.
std::vector<const Entry*> Matches(const std::vector<Entry>& entries,
                                  const std::string& asked) {
  std::vector<std::string> forms{asked};
  if (!asked.empty() && asked[0] >= '0' && asked[0] <= '9' &&
      asked.find('/') != std::string::npos)
    forms.push_back("level" + asked);
  for (const auto names : {NamesExactly, NamesItsEnd}) {
    std::vector<const Entry*> found;
    for (const Entry& entry : entries)
      for (const std::string& form : forms)
        if (names(form, entry)) found.push_back(&entry);
    if (!found.empty()) return found;
  }
  return {};
}

// How far `asked` is from an entry in letters; parts of the name are near.
size_t Distance(const std::string& asked, const Entry& entry) {
  const std::string name = Lower(Normal(entry.name));
  if (asked.size() >= 3 && name.find(asked) != std::string::npos) return 1;
  return std::min({EditDistance(asked, Lower(entry.id)),
                   EditDistance(asked, name),
                   EditDistance(asked, Lower(LongName(entry)))});
}

std::vector<std::string> Suggestions(const std::vector<Entry>& entries,
                                     const std::string& asked) {
  const std::string wanted = Lower(asked).substr(0, 100);
  const size_t limit = std::max<size_t>(2, wanted.size() / 3);
  std::vector<std::pair<size_t, const Entry*>> near;
  for (const Entry& entry : entries) {
    const size_t distance = Distance(wanted, entry);
    if (distance <= limit) near.emplace_back(distance, &entry);
  }
  std::ranges::sort(near);  // equally far ones stay in the pack's order
  if (near.size() > 3) near.resize(3);
  std::vector<std::string> texts;
  texts.reserve(near.size());
  for (const auto& [distance, entry] : near)
    texts.push_back(fmt::format("{} ({})", entry->id, entry->name));
  return texts;
}

tl::unexpected<base::Error> NoSmallSize(const Entry& entry) {
  const std::filesystem::path path(entry.path);
  const std::string number = NumberOf(path.stem());
  return Usage(
      "{} has no small size; to define one, write into {} which module-level "
      "constants of {} get which values, e.g.\n[\"{}\"]\nsmall = {{ "
      "batch_size = 3 }}",
      entry.id, (path.parent_path() / "problems.toml").string(), entry.path,
      number.empty() ? "NUMBER" : number);
}

}  // namespace

std::string Issue::ToString() const {
  return line > 0 ? fmt::format("{}:{}: {}", path, line, message)
                  : fmt::format("{}: {}", path, message);
}

Result<Pack> Pack::Open(const std::string& path) {
  return PackReader(path, path).Read();
}

Result<Pack> Pack::OpenDefault() {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  return PackReader(root + "/problems", "").Read();
}

Result<Entry> Pack::Find(const std::string& id) const {
  const std::string asked = Normal(id);
  const std::vector<const Entry*> found = Matches(entries_, asked);
  if (found.size() == 1) return *found.front();
  if (found.size() > 1) {
    std::vector<std::string> ids;
    ids.reserve(found.size());
    for (const Entry* entry : found) ids.push_back(entry->id);
    return Usage("\"{}\" may mean {}; give the whole id", id,
                 fmt::join(ids, " or "));
  }
  for (const Issue& issue : issues_)
    if (!issue.id.empty() && (issue.id == asked || issue.id == "level" + asked))
      return Usage("{} cannot be used: {}", issue.id, issue.ToString());
  const std::vector<std::string> near = Suggestions(entries_, asked);
  const std::string list =
      name_.empty() ? "kernelbench problems list"
                    : fmt::format("kernelbench problems list --pack {}", name_);
  if (near.empty())
    return Usage("there is no problem \"{}\"; \"{}\" lists all of them", id,
                 list);
  return Usage(
      "there is no problem \"{}\"; did you mean {}? \"{}\" lists all of them",
      id, fmt::join(near, ", "), list);
}

Result<record::Problem> Pack::Load(const std::string& id,
                                   record::Size size) const {
  KB_ASSIGN(const Entry entry, Find(id));
  const Body& body = bodies_.at(entry.id);
  record::Problem problem;
  problem.id = entry.id;
  problem.name = entry.name;
  problem.pack = name_;
  problem.source = body.source;
  problem.size = size;
  problem.tags = entry.tags;
  problem.flags = entry.flags;
  problem.precisions = entry.precisions;
  problem.inputs_as_given = entry.inputs_as_given;
  if (size == record::Size::kFull) return problem;
  if (!entry.has_small) return NoSmallSize(entry);
  KB_ASSIGN(problem.source, ApplyOverrides(body.source, body.small));
  return problem;
}

}  // namespace kb::problems
