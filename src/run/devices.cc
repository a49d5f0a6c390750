#include "devices.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/rulers.h"

namespace kb::run {
namespace {

using analysis::Entry;
using record::Outcome;

// Model, problem, its hash, sample, size, precision, turn, and whether it
// confirms.
using Key = std::tuple<std::string, std::string, std::string, int64_t,
                       record::Size, record::Precision, int64_t, bool>;

Key KeyOf(const Outcome& o) {
  return {o.model, o.problem_id, o.problem_hash, o.sample,
          o.size,  o.precision,  o.turn,         o.confirms};
}

// Of one run.
struct Devices {
  std::map<std::string, std::set<Key>> judged;  // by device
  std::set<Key> nowhere;                        // has a result without a device
};

std::string NameOn(const std::string& run, const std::string& device) {
  return fmt::format("{} on {}", run, device);
}

Entry NotJudged(const Entry& elsewhere) {
  Entry entry;
  entry.tags = elsewhere.tags;
  entry.flagged = elsewhere.flagged;
  entry.seconds = elsewhere.seconds;
  entry.answers = elsewhere.answers;
  entry.missing = analysis::Missing::kNotJudged;
  const Outcome& from = elsewhere.outcome;
  Outcome& outcome = entry.outcome;
  outcome.problem_id = from.problem_id;
  outcome.problem_hash = from.problem_hash;
  outcome.model = from.model;
  outcome.sample = from.sample;
  outcome.turn = from.turn;
  outcome.size = from.size;
  outcome.precision = from.precision;
  outcome.policy = from.policy;
  outcome.usd = from.usd;
  return entry;
}

// What stands for `entry` in its run on `device`, if anything does.
void AddTo(const std::string& device, const std::set<Key>& judged,
           const Devices& devices, const Entry& entry,
           std::vector<Entry>* entries) {
  const Outcome& outcome = entry.outcome;
  const Key key = KeyOf(outcome);
  if (outcome.device_name == device) {
    entries->push_back(entry);
  } else if (judged.contains(key)) {
    return;
  } else if (outcome.device_name.empty()) {
    entries->push_back(entry);
  } else if (analysis::IsOfAModel(outcome) && !outcome.confirms &&
             !devices.nowhere.contains(key)) {
    entries->push_back(NotJudged(entry));
  } else {
    return;
  }
  entries->back().run = NameOn(entry.run, device);
}

}  // namespace

void TakeDevicesApart(analysis::RunReading* reading) {
  std::map<std::string, Devices> runs;
  for (const Entry& entry : reading->entries) {
    const Outcome& outcome = entry.outcome;
    Devices& of_run = runs[entry.run];
    if (outcome.device_name.empty())
      of_run.nowhere.insert(KeyOf(outcome));
    else
      of_run.judged[outcome.device_name].insert(KeyOf(outcome));
  }
  std::erase_if(runs,
                [](const auto& run) { return run.second.judged.size() < 2; });
  if (runs.empty()) return;

  const auto paths = std::exchange(reading->paths, {});
  const auto names = std::exchange(reading->names, {});
  const auto manifests = std::exchange(reading->manifests, {});
  for (size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> become{names[i]};
    if (const auto found = runs.find(names[i]); found != runs.end()) {
      become.clear();
      for (const auto& [device, judged] : found->second.judged)
        become.push_back(NameOn(names[i], device));
    }
    for (std::string& name : become) {
      reading->names.push_back(std::move(name));
      reading->paths.push_back(paths.at(i));
      reading->manifests.push_back(manifests.at(i));
    }
  }
  for (Entry& entry : std::exchange(reading->entries, {})) {
    const auto found = runs.find(entry.run);
    if (found == runs.end()) {
      reading->entries.push_back(std::move(entry));
      continue;
    }
    for (const auto& [device, judged] : found->second.judged)
      AddTo(device, judged, found->second, entry, &reading->entries);
  }
}

}  // namespace kb::run
