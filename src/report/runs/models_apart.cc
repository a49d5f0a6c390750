#include "report/models_apart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>

#include "model_name.h"

namespace kb::report {
namespace {

using analysis::Entry;

// What is no model's are files that somebody judged.
std::string NameOfModel(const std::string& model) {
  return model.empty() ? "no model" : ModelName(model);
}

// What the models' runs are called. Two replays' folders may have one name.
std::map<std::string, std::string> NamesByModel(
    const std::string& run, const std::set<std::string>& models) {
  std::map<std::string, int> uses;
  for (const std::string& model : models) ++uses[NameOfModel(model)];
  std::map<std::string, std::string> names;
  for (const std::string& model : models)
    names[model] =
        fmt::format("{} by {}", run,
                    uses[NameOfModel(model)] == 1 ? NameOfModel(model) : model);
  return names;
}

}  // namespace

ModelsApart TakenApart(const analysis::RunReading& reading) {
  ModelsApart apart;
  apart.reading = reading;
  std::map<std::string, std::map<std::string, std::string>> names;  // by run
  for (const auto& [run, models] : analysis::MixedRuns(reading.entries))
    names[run] = NamesByModel(run, models);

  apart.reading.names.clear();
  apart.reading.paths.clear();
  apart.reading.manifests.clear();
  const auto add = [&](size_t i, const std::string& name, OneModel of) {
    apart.reading.names.push_back(name);
    apart.reading.paths.push_back(reading.paths.at(i));
    auto& manifest =
        apart.reading.manifests.emplace_back(reading.manifests.at(i));
    if (of.model) manifest["model"] = *of.model;
    apart.runs.push_back(std::move(of));
  };
  for (size_t i = 0; i < reading.names.size(); ++i) {
    const std::string& run = reading.names[i];
    const auto found = names.find(run);
    if (found == names.end()) {
      add(i, run, {i, std::nullopt});
      continue;
    }
    std::vector<std::string> models;
    for (const auto& [model, name] : found->second) {
      add(i, name, {i, model});
      models.push_back(NameOfModel(model));
    }
    apart.remarks.push_back(
        fmt::format("{} holds samples of {} models ({}), each a run of its own "
                    "here",
                    run, models.size(), fmt::join(models, ", ")));
  }
  const auto rename = [&](std::vector<Entry>* entries) {
    for (Entry& entry : *entries)
      if (const auto found = names.find(entry.run); found != names.end())
        if (const auto own = found->second.find(entry.outcome.model);
            own != found->second.end())
          entry.run = own->second;
  };
  rename(&apart.reading.entries);
  for (analysis::TurnEntries& turn : apart.reading.by_turn)
    rename(&turn.entries);
  apart.reading.optimism = analysis::OptimismOf(apart.reading.entries);
  return apart;
}

}  // namespace kb::report
