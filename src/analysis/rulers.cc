#include "analysis/rulers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kb::analysis {
namespace {

using base::Result;
using record::Outcome;

// The same sample under the same rules. The device is not in it, because what
// never reached one does not know which it was.
std::string KeyOf(const Entry& entry) {
  const Outcome& o = entry.outcome;
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", entry.run,
                     o.model, o.problem_id, o.problem_hash, o.sample, o.turn,
                     o.confirms, o.candidate_hash, record::SizeName(o.size),
                     record::PrecisionName(o.precision), o.policy);
}

bool IsJudged(const Outcome& outcome) {
  return outcome.verdict && *outcome.verdict != record::Verdict::kInfraError;
}

// A result counts more than a failure of ours, then the later counts.
bool IsBetter(const Outcome& a, const Outcome& b) {
  return std::pair(IsJudged(a), a.id) > std::pair(IsJudged(b), b.id);
}

// The runs that several devices judged or were asked to.
std::set<std::string> RunsOfSeveralDevices(const std::vector<Entry>& entries) {
  std::map<std::string, std::set<std::string>> devices;  // by run
  for (const Entry& entry : entries) {
    std::set<std::string>& of_run = devices[entry.run];
    of_run.insert(entry.outcome.device_name);
    of_run.insert(entry.asked_on.begin(), entry.asked_on.end());
  }
  std::set<std::string> several;
  for (auto& [run, names] : devices) {
    names.erase("");
    if (names.size() > 1) several.insert(run);
  }
  return several;
}

// Of two that KeyOf does not tell apart. What reached no device was on its way
// to that of its run, if there is one only.
bool Supersedes(const Outcome& later, const Outcome& earlier,
                bool several_devices) {
  const bool same_device = later.device_name == earlier.device_name ||
                           (!several_devices && (later.device_name.empty() ||
                                                 earlier.device_name.empty()));
  if (IsOfAModel(earlier)) return same_device && IsBetter(later, earlier);
  // Who judges a file twice wants both.
  const bool old = earlier.ruler > 0 && earlier.ruler < record::kRulerVersion;
  return old && later.ruler != earlier.ruler && IsJudged(later) &&
         later.id > earlier.id && same_device;
}

std::string NameOf(const Entry& entry) {
  return entry.outcome.problem_id + " " + entry.outcome.candidate_name;
}

}  // namespace

bool IsOfAModel(const Outcome& outcome) {
  return !outcome.model.empty() && outcome.sample >= 0;
}

int64_t DropSuperseded(std::vector<Entry>* entries) {
  const std::set<std::string> several = RunsOfSeveralDevices(*entries);
  std::map<std::string, std::vector<Outcome>> same;
  for (const Entry& entry : *entries)
    if (!entry.outcome.unusable) same[KeyOf(entry)].push_back(entry.outcome);
  return static_cast<int64_t>(std::erase_if(*entries, [&](const Entry& entry) {
    const auto found = same.find(KeyOf(entry));
    return found != same.end() && !entry.outcome.unusable &&
           std::ranges::any_of(found->second, [&](const Outcome& other) {
             return Supersedes(other, entry.outcome,
                               several.contains(entry.run));
           });
  }));
}

Result<int64_t> RulerOf(const std::vector<Entry>& entries) {
  int64_t newest = 0;
  for (const Entry& entry : entries)
    newest = std::max(newest, entry.outcome.ruler);
  struct Older {
    int64_t count = 0;
    std::string example;
  };
  std::map<std::string, Older> older;  // by run
  for (const Entry& entry : entries) {
    if (entry.outcome.ruler == 0 || entry.outcome.ruler == newest) continue;
    Older& of_run = older[entry.run];
    if (of_run.count++ == 0) of_run.example = NameOf(entry);
  }
  if (older.empty()) return newest;
  std::vector<std::string> where;
  for (const auto& [run, found] : older)
    where.push_back(
        fmt::format("{}: {} (as {})", run, found.count, found.example));
  return base::Usage(
      "samples measured by an earlier ruler cannot be compared with those of "
      "version {}. Number by run: {}. Judge them again (kernelbench eval, or "
      "kernelbench run --model replay:STORE with a new --store), or look at "
      "the runs one by one",
      newest, fmt::join(where, ", "));
}

int64_t CountForeign(const std::vector<Entry>& entries) {
  return std::ranges::count_if(entries, [](const Entry& entry) {
    return entry.outcome.ruler == 0 && entry.outcome.speedup;
  });
}

Result<void> CheckWallTimes(const std::vector<Entry>& entries) {
  const auto has_none = [](const Entry& entry) {
    return entry.outcome.speedup && !entry.outcome.wall_speedup;
  };
  const auto count = std::ranges::count_if(entries, has_none);
  if (count == 0) return base::Ok();
  const auto first = std::ranges::find_if(entries, has_none);
  return base::Usage(
      "--time wall: {} of {} samples have no wall time (the first is {} of "
      "{}); judge them again, or score by --time device",
      count, entries.size(), NameOf(*first), first->run);
}

std::string RulerRemark(int64_t ruler) {
  if (ruler == 0 || ruler == record::kRulerVersion) return "";
  if (ruler > record::kRulerVersion)
    return fmt::format("measured by ruler {}, which is newer than this program",
                       ruler);
  return "measured by the first ruler (before version 2); not comparable with "
         "today's";
}

}  // namespace kb::analysis
