#include "wire/setup.h"

namespace kb::wire {
namespace {

using base::Json;
using base::Result;

Json PlacesToJson(const std::vector<Place>& places) {
  Json json = Json::array();
  for (const Place& place : places) json.push_back(place.offset);
  return json;
}

Result<std::vector<Place>> PlacesFromJson(const Json& json, const char* key) {
  KB_ASSIGN(const auto offsets, base::Get<std::vector<uint64_t>>(json, key));
  std::vector<Place> places;
  for (const uint64_t offset : offsets) places.push_back({offset});
  return places;
}

}  // namespace

Json ToJson(const Setup& setup) {
  return {{"device", setup.device},
          {"precision", record::PrecisionName(setup.precision)},
          {"construction_seed", setup.construction_seed},
          {"own_weights", setup.own_weights},
          {"running_statistics", setup.running_statistics},
          {"facts", record::ToJson(setup.facts)},
          {"state", PlacesToJson(setup.state)},
          {"inputs", PlacesToJson(setup.inputs)},
          {"outputs", PlacesToJson(setup.outputs)},
          {"weights_bytes", setup.weights_bytes},
          {"input_bytes", setup.input_bytes},
          {"output_bytes", setup.output_bytes},
          {"slots", setup.slots},
          {"pool_bytes", setup.pool_bytes},
          {"choose_context", setup.choose_context},
          {"launch_us", setup.launch_us},
          {"empty_chains", setup.empty_chains},
          {"observe", setup.observe},
          {"profile", setup.profile}};
}

Result<Setup> SetupFromJson(const Json& json) {
  Setup setup;
  KB_ASSIGN(setup.device, base::Get<std::string>(json, "device"));
  KB_ASSIGN(const auto precision, base::Get<std::string>(json, "precision"));
  const auto parsed = record::ParsePrecision(precision);
  if (!parsed) return base::Fail("unknown precision \"{}\"", precision);
  setup.precision = *parsed;
  KB_ASSIGN(setup.construction_seed,
            base::Get<uint64_t>(json, "construction_seed"));
  KB_ASSIGN(setup.own_weights, base::Get<bool>(json, "own_weights"));
  KB_ASSIGN(setup.running_statistics,
            base::Get<bool>(json, "running_statistics"));
  KB_ASSIGN(const Json facts, base::Get<Json>(json, "facts"));
  KB_ASSIGN(setup.facts, record::ProblemFactsFromJson(facts));
  KB_ASSIGN(setup.state, PlacesFromJson(json, "state"));
  KB_ASSIGN(setup.inputs, PlacesFromJson(json, "inputs"));
  KB_ASSIGN(setup.outputs, PlacesFromJson(json, "outputs"));
  KB_ASSIGN(setup.weights_bytes, base::Get<uint64_t>(json, "weights_bytes"));
  KB_ASSIGN(setup.input_bytes, base::Get<uint64_t>(json, "input_bytes"));
  KB_ASSIGN(setup.output_bytes, base::Get<uint64_t>(json, "output_bytes"));
  KB_ASSIGN(setup.slots, base::Get<uint32_t>(json, "slots"));
  KB_ASSIGN(setup.pool_bytes, base::Get<uint64_t>(json, "pool_bytes"));
  KB_ASSIGN(setup.choose_context, base::Get<bool>(json, "choose_context"));
  KB_ASSIGN(setup.launch_us, base::Get<double>(json, "launch_us"));
  KB_ASSIGN(setup.empty_chains, base::Get<uint32_t>(json, "empty_chains"));
  KB_ASSIGN(setup.observe, base::Get<bool>(json, "observe"));
  KB_ASSIGN(setup.profile, base::Get<bool>(json, "profile"));
  return setup;
}

}  // namespace kb::wire
