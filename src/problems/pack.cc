#include "problems/pack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "edit_distance.h"
#include "hidden.h"
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

constexpr const char* kRandomForward = "random_forward";

double Gigabytes(uint64_t bytes) { return static_cast<double>(bytes) / 1e9; }

// The part of a problem's data that can be judged in so much memory. What does
// not shrink with the data: weights, each three times in JudgingBytes,
// contexts, and workspaces of libraries, of which there were up to 70 MB in
// each peak of our problems on an H200.
double FittingShare(const record::Cost& full, uint64_t fit_bytes) {
  constexpr uint64_t kContexts = uint64_t{1} << 30;
  constexpr uint64_t kWorkspaces = uint64_t{160} << 20;
  const auto fixed =
      static_cast<double>(3 * full.state_bytes + kContexts + kWorkspaces);
  const double shrinks = static_cast<double>(full.JudgingBytes()) - fixed;
  if (shrinks <= 0) return 0;
  return (static_cast<double>(fit_bytes) - fixed) / shrinks;
}

// "v3/1/23" -> "v3/level1/23"; empty: it names no level by its number.
std::string WithLevel(const std::string& asked) {
  const size_t last = asked.rfind('/');
  if (last == std::string::npos || last == 0) return "";
  const size_t before = asked.rfind('/', last - 1);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::string level = asked.substr(begin, last - begin);
  if (level.find_first_not_of("0123456789") != std::string::npos) return "";
  return asked.substr(0, begin) + "level" + asked.substr(begin);
}

// "level1/23_Softmax"
std::string LongName(const Entry& entry) {
  const std::string folder = entry.id.substr(0, entry.id.rfind('/') + 1);
  if (entry.line > 0) return Normal(entry.id + "_" + entry.name);  // a row
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
  if (const std::string with_level = WithLevel(asked); !with_level.empty())
    forms.push_back(with_level);
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

tl::unexpected<base::Error> NoSuchSize(const Entry& entry,
                                       const record::Size& size) {
  const std::filesystem::path path(entry.path);
  const std::string number = NumberOf(path.stem());
  if (size.IsNamed()) {
    return Usage(
        "{} has no size \"{}\"; its sizes are {}. {} declares them "
        "(docs/problems.md)",
        entry.id, record::SizeName(size), fmt::join(SizeNamesOf(entry), ", "),
        (path.parent_path() / "problems.toml").string());
  }
  return Usage(
      "{} has no small size; to define one, write into {} which module-level "
      "constants of {} get which values, e.g.\n[\"{}\"]\nsmall = {{ "
      "batch_size = 3 }}",
      entry.id, (path.parent_path() / "problems.toml").string(), entry.path,
      number.empty() ? "NUMBER" : number);
}

}  // namespace

Issue Issue::InSource(const std::string& path, int row, int line,
                      const std::string& message, const std::string& id) {
  if (row == 0) return {path, line, message, id};
  return {path, row,
          line == 0 ? message
                    : fmt::format("line {} of the source: {}", line, message),
          id};
}

std::vector<std::string> SizeNamesOf(const Entry& entry) {
  std::vector<std::string> names{record::SizeName(record::Size::kFull)};
  if (entry.has_small) names.push_back(record::SizeName(record::Size::kSmall));
  for (const record::Size& size : entry.sizes)
    names.push_back(record::SizeName(size));
  return names;
}

std::vector<record::Size> SizesOf(const Entry& entry,
                                  const record::Size& size) {
  std::vector<record::Size> sizes = size.Listed();
  if (!sizes.empty()) return sizes;
  sizes.push_back(record::Size::kFull);
  sizes.insert(sizes.end(), entry.sizes.begin(), entry.sizes.end());
  return sizes;
}

std::string Issue::Place() const {
  return line > 0 ? fmt::format("{}:{}", path, line) : path;
}

std::string Issue::ToString() const {
  return fmt::format("{}: {}", Place(), message);
}

Result<Pack> Pack::Open(const std::string& path, const ParquetReader& parquet) {
  return PackReader(path, path, parquet).Read();
}

Result<Pack> Pack::OpenDefault() {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  return PackReader(root + "/problems", "", {}).Read();
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
    if (!issue.id.empty() &&
        (issue.id == asked || issue.id == WithLevel(asked)))
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

Result<Selection> Pack::FindSelection(const std::string& name) const {
  const auto found = selections_.find(name);
  if (found != selections_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [each, unused] : selections_) names.push_back(each);
  return Usage(
      "there is no selection \"{}\"; this pack has {}", name,
      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

std::map<std::string, Limits> Pack::LimitsOf(const std::string& id) const {
  const std::string level = id.substr(0, id.rfind('/'));
  std::map<std::string, Limits> all;
  for (const auto& [name, selection] : selections_)
    if (const auto found = selection.limits.find(level);
        found != selection.limits.end())
      all.emplace(name, found->second);
  return all;
}

Result<std::vector<Entry>> Pack::Select(const std::string& selection) const {
  KB_ASSIGN(const Selection wanted, FindSelection(selection));
  const auto names = [](const std::vector<std::string>& list,
                        const std::string& text) {
    return std::ranges::find(list, text) != list.end();
  };
  std::vector<Entry> entries;
  for (const Entry& entry : entries_) {
    const std::string level = entry.id.substr(0, entry.id.rfind('/'));
    if ((names(wanted.levels, level) || names(wanted.problems, entry.id)) &&
        !names(wanted.without, entry.id))
      entries.push_back(entry);
  }
  return entries;
}

std::optional<record::Cost> Pack::CostOf(const std::string& id,
                                         const record::Size& size) const {
  const auto found = costs_.find(id);
  if (found == costs_.end() || !found->second.contains(size))
    return std::nullopt;
  return found->second.at(size);
}

Result<record::Problem> Pack::Load(const std::string& id,
                                   const record::Size& size,
                                   uint64_t fit_bytes) const {
  KB_ASSIGN(const Entry entry, Find(id));
  KB_ASSIGN(record::Problem problem, Sized(entry, size, fit_bytes));
  if (entry.hidden.empty()) return problem;
  KB_ASSIGN(problem.hidden.emplace_back(),
            HiddenSizeOf(problem.source, entry.hidden));
  return problem;
}

Result<record::Problem> Pack::Sized(const Entry& entry,
                                    const record::Size& size,
                                    uint64_t fit_bytes) const {
  if (size == record::Size::kFitted) return Fitted(entry, fit_bytes);
  if (full_for_small_ && size == record::Size::kSmall && !entry.has_small)
    return AtSize(entry, record::Size::kFull);
  return AtSize(entry, size);
}

Result<record::Problem> Pack::AtSize(const Entry& entry,
                                     const record::Size& size) const {
  const Body& body = bodies_.at(entry.id);
  record::Problem problem;
  problem.id = entry.id;
  problem.name = entry.name;
  problem.pack = name_;
  problem.source = body.source;
  problem.fla = body.fla;
  problem.reference = entry.reference;
  problem.size = size;
  problem.tags = entry.tags;
  problem.flags = entry.flags;
  problem.precisions = entry.precisions;
  problem.given = entry.given;
  problem.tolerances = entry.tolerances;
  problem.floor = entry.floor;
  problem.inputs_as_given = entry.inputs_as_given;
  problem.random_forward =
      std::ranges::find(entry.tags, kRandomForward) != entry.tags.end();
  problem.cost = CostOf(entry.id, size);
  if (size == record::Size::kFull) return problem;
  const auto constants = body.sizes.find(size);
  if (constants == body.sizes.end()) return NoSuchSize(entry, size);
  KB_ASSIGN(problem.source, ApplyOverrides(body.source, constants->second));
  return problem;
}

Result<record::Problem> Pack::Fitted(const Entry& entry,
                                     uint64_t fit_bytes) const {
  const auto full = CostOf(entry.id, record::Size::kFull);
  if (!full)
    return Usage(
        "the memory that {} takes is not known, so it cannot be fitted; use "
        "--size, or measure it with kernelbench audit --record-costs",
        entry.id);
  if (full->JudgingBytes() <= fit_bytes)
    return AtSize(entry, record::Size::kFull);
  if (!entry.scale.empty()) {
    KB_ASSIGN(const int64_t whole,
              IntegerConstant(bodies_.at(entry.id).source, entry.scale));
    const double share = FittingShare(*full, fit_bytes);
    const auto part = static_cast<int64_t>(static_cast<double>(whole) * share);
    if (part >= 1) return Scaled(entry, *full, part, whole);
  }
  const auto small = CostOf(entry.id, record::Size::kSmall);
  if (small && small->JudgingBytes() <= fit_bytes)
    return AtSize(entry, record::Size::kSmall);
  return Usage("{} does not fit into {:.1f} GB: judging it takes {:.1f} GB{}",
               entry.id, Gigabytes(fit_bytes), Gigabytes(full->JudgingBytes()),
               small ? fmt::format(", and {:.1f} GB at its small size",
                                   Gigabytes(small->JudgingBytes()))
                     : "");
}

Result<record::Problem> Pack::Scaled(const Entry& entry,
                                     const record::Cost& full, int64_t part,
                                     int64_t whole) const {
  KB_ASSIGN(record::Problem problem, AtSize(entry, record::Size::kFull));
  KB_ASSIGN(problem.source,
            ApplyOverrides(problem.source, {{entry.scale, {part}}}));
  problem.size = record::Size::kFitted;
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  const auto scaled = [&](uint64_t bytes) {
    return full.state_bytes +
           static_cast<uint64_t>(static_cast<double>(bytes - full.state_bytes) *
                                 share);
  };
  problem.cost =
      record::Cost{scaled(full.memory_bytes), full.state_bytes,
                   scaled(full.compulsory_bytes), full.flops * share};
  return problem;
}

}  // namespace kb::problems
