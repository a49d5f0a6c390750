#include "devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/rulers.h"
#include "policies.h"

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

// Model, problem, its hash, sample, size and precision.
using SampleKey = std::tuple<std::string, std::string, std::string, int64_t,
                             record::Size, record::Precision>;

SampleKey SampleKeyOf(const Outcome& o) {
  return {o.model, o.problem_id, o.problem_hash, o.sample, o.size, o.precision};
}

// Model, problem, its hash, size and precision.
using ProblemKey = std::tuple<std::string, std::string, std::string,
                              record::Size, record::Precision>;

ProblemKey ProblemKeyOf(const Outcome& o) {
  return {o.model, o.problem_id, o.problem_hash, o.size, o.precision};
}

struct Device {
  std::set<Key> judged;
  std::set<SampleKey> samples;  // of which an entry stands for the device
  std::set<ProblemKey> problems;
  std::set<ProblemKey> asked;  // of which requests name the device
  std::set<std::string> models;
  std::set<std::string> judged_models;  // of these, with a result there
};

// Of one run.
struct Devices {
  std::map<std::string, Device> by_name;
  std::set<SampleKey> nowhere;    // have a result without a device
  std::set<ProblemKey> problems;  // with a result on any device
  std::set<ProblemKey> unnamed;   // with requests that name no device
  std::set<std::string> models;   // of any device
  std::set<std::string> judged_models;
  bool leaves_models = false;  // some are of none
};

void NoteDevices(const Entry& entry, Devices* of_run) {
  const Outcome& outcome = entry.outcome;
  const ProblemKey problem = ProblemKeyOf(outcome);
  for (const std::string& name : entry.asked_on) {
    if (name.empty()) {
      of_run->unnamed.insert(problem);
      continue;
    }
    Device& device = of_run->by_name[name];
    device.asked.insert(problem);
    device.models.insert(outcome.model);
    of_run->models.insert(outcome.model);
  }
  if (outcome.device_name.empty()) {
    of_run->nowhere.insert(SampleKeyOf(outcome));
    return;
  }
  Device& device = of_run->by_name[outcome.device_name];
  device.judged.insert(KeyOf(outcome));
  device.samples.insert(SampleKeyOf(outcome));
  device.problems.insert(problem);
  device.models.insert(outcome.model);
  device.judged_models.insert(outcome.model);
  of_run->problems.insert(problem);
  of_run->models.insert(outcome.model);
  of_run->judged_models.insert(outcome.model);
}

bool IsAskedOn(const Entry& entry, const std::string& name) {
  return std::ranges::find(entry.asked_on, name) != entry.asked_on.end();
}

// Where requests of the problem name the device, these say it. Else it is a
// device of an older store, which names none, and its results say it: a model
// was asked there for the problems of which it has a result there, and for
// those of which it has none anywhere. What requests that name other devices
// alone are for is not of such a store, unless it knows no requests either.
bool WasAskedOn(const std::string& name, const Device& device,
                const Devices& of_run, const Entry& entry) {
  const ProblemKey problem = ProblemKeyOf(entry.outcome);
  if (device.asked.contains(problem)) return IsAskedOn(entry, name);
  const bool anywhere = entry.asked_on.empty() || IsAskedOn(entry, "");
  if (!anywhere && of_run.unnamed.contains(problem)) return false;
  if (of_run.problems.contains(problem))
    return device.problems.contains(problem);
  const std::string& model = entry.outcome.model;
  return anywhere && (of_run.judged_models.contains(model)
                          ? device.judged_models.contains(model)
                          : device.models.contains(model));
}

// With the model, where devices have one each of several.
std::string NameOn(const std::string& run, const std::string& name,
                   const Device& device, const Devices& of_run) {
  std::string on = fmt::format("{} on {}", run, name);
  if (of_run.models.size() > 1 && device.models.size() == 1)
    on += fmt::format(" by {}", *device.models.begin());
  return on;
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

// What stands for `entry` in its run on the device `name`, if anything does.
std::optional<Entry> On(const std::string& name, const Devices& of_run,
                        const Entry& entry, Device* device) {
  const Outcome& outcome = entry.outcome;
  if (outcome.device_name == name) return entry;
  if (device->judged.contains(KeyOf(outcome)) ||
      !WasAskedOn(name, *device, of_run, entry)) {
    return std::nullopt;
  }
  if (outcome.device_name.empty()) return entry;
  if (!analysis::IsOfAModel(outcome) ||
      of_run.nowhere.contains(SampleKeyOf(outcome)) ||
      !device->samples.insert(SampleKeyOf(outcome)).second) {
    return std::nullopt;
  }
  return NotJudged(entry);
}

}  // namespace

void TakeDevicesApart(analysis::RunReading* reading) {
  std::map<std::string, Devices> runs;
  for (const Entry& entry : reading->entries)
    NoteDevices(entry, &runs[entry.run]);
  std::erase_if(runs,
                [](const auto& run) { return run.second.by_name.size() < 2; });
  if (runs.empty()) return;
  const auto is_of_none = [](const Devices& of_run, const Entry& entry) {
    return !of_run.models.contains(entry.outcome.model);
  };
  for (const Entry& entry : reading->entries)
    if (const auto found = runs.find(entry.run); found != runs.end())
      found->second.leaves_models |= is_of_none(found->second, entry);

  std::map<std::string, std::vector<std::string>> become;
  for (const auto& [run, of_run] : runs) {
    for (const auto& [name, device] : of_run.by_name)
      become[run].push_back(NameOn(run, name, device, of_run));
    if (of_run.leaves_models) become[run].push_back(run);
  }
  RenameRuns(become, reading);
  for (Entry& entry : std::exchange(reading->entries, {})) {
    const auto found = runs.find(entry.run);
    if (found == runs.end() || is_of_none(found->second, entry)) {
      reading->entries.push_back(std::move(entry));
      continue;
    }
    for (auto& [name, device] : found->second.by_name) {
      std::optional<Entry> there = On(name, found->second, entry, &device);
      if (!there.has_value()) continue;
      there->run = NameOn(entry.run, name, device, found->second);
      there->asked_on = {name};
      reading->entries.push_back(*std::move(there));
    }
  }
}

}  // namespace kb::run
