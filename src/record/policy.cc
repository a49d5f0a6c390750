#include "record/policy.h"

#include <array>
#include <utility>

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr std::array<std::pair<Precision, const char*>, 3> kPrecisions{{
    {Precision::kFp32, "fp32"},
    {Precision::kFp16, "fp16"},
    {Precision::kBf16, "bf16"},
}};

Policy Strict() {
  Policy policy;
  policy.name = "strict";
  policy.error_multiple = 8;
  policy.inputs = InputStyle::kMixed;
  policy.redraw_flat_parameters = true;
  return policy;
}

Policy OwnKernels() {
  Policy policy;
  policy.name = "own-kernels";
  policy.allow_torch_ops = false;
  return policy;
}

// Each field once, for both directions.
template <typename P, typename F>
void VisitFields(P& policy, F&& field) {
  field("public_trials", policy.public_trials);
  field("min_timed_trials", policy.min_timed_trials);
  field("max_timed_trials", policy.max_timed_trials);
  field("timed_seconds", policy.timed_seconds);
  field("relative_error", policy.relative_error);
  field("processes", policy.processes);
  field("warm", policy.warm);
  field("error_multiple", policy.error_multiple);
  field("redraw_flat_parameters", policy.redraw_flat_parameters);
  field("allow_torch_ops", policy.allow_torch_ops);
  field("min_isolation", policy.min_isolation);
  field("load_seconds", policy.load_seconds);
  field("call_seconds", policy.call_seconds);
  field("wall_seconds", policy.wall_seconds);
  field("compile_seconds", policy.compile_seconds);
  field("memory_bytes", policy.memory_bytes);
}

constexpr const char* kOtherFields[] = {"name", "tolerance", "inputs"};

Result<void> CheckFieldNames(const Json& json) {
  Policy policy;
  for (const auto& item : json.items()) {
    bool known = false;
    for (const char* name : kOtherFields) known |= item.key() == name;
    VisitFields(policy, [&](const char* name, const auto&) {
      known |= item.key() == name;
    });
    if (!known) return base::Usage("a policy has no field \"{}\"", item.key());
  }
  return base::Ok();
}

Result<void> CheckRanges(const Policy& policy) {
  if (policy.public_trials < 0 || policy.public_trials > 5)
    return base::Usage("public_trials is {}; it must be 0 to 5",
                       policy.public_trials);
  if (policy.min_timed_trials < 0 ||
      policy.max_timed_trials < policy.min_timed_trials ||
      policy.max_timed_trials > 100000)
    return base::Usage(
        "min_timed_trials {} and max_timed_trials {} must satisfy 0 <= min <= "
        "max <= 100000",
        policy.min_timed_trials, policy.max_timed_trials);
  if (policy.processes < 0 || policy.processes > 32)
    return base::Usage("processes is {}; it must be 1 to 32, or 0 for a rule",
                       policy.processes);
  if (policy.public_trials + policy.min_timed_trials < 1)
    return base::Usage("a policy must ask for at least one trial");
  for (const double seconds : {policy.load_seconds, policy.call_seconds,
                               policy.wall_seconds, policy.compile_seconds})
    if (!(seconds > 0 && seconds <= 86400))
      return base::Usage("a time limit of {} s is not in (0, 86400]", seconds);
  return base::Ok();
}

}  // namespace

const char* PrecisionName(Precision precision) {
  return kPrecisions.at(static_cast<size_t>(precision)).second;
}

std::optional<Precision> ParsePrecision(const std::string& name) {
  for (const auto& [precision, text] : kPrecisions)
    if (name == text) return precision;
  return std::nullopt;
}

DType PrecisionDType(Precision precision) {
  switch (precision) {
    case Precision::kFp16:
      return DType::kFloat16;
    case Precision::kBf16:
      return DType::kBFloat16;
    case Precision::kFp32:
      break;
  }
  return DType::kFloat32;
}

Json ToJson(const Policy& policy) {
  Json json{{"name", policy.name}};
  VisitFields(policy,
              [&](const char* name, const auto& field) { json[name] = field; });
  if (policy.tolerance)
    json["tolerance"] = {{"atol", policy.tolerance->atol},
                         {"rtol", policy.tolerance->rtol}};
  json["inputs"] = policy.inputs == InputStyle::kMixed ? "mixed" : "as_given";
  return json;
}

Result<Policy> PolicyFromJson(const Json& json) {
  if (!json.is_object())
    return base::Usage("a policy must be a JSON object with a \"name\"");
  KB_TRY(CheckFieldNames(json));
  const std::string name = json.value("name", "kernelbench");
  Policy policy = NamedPolicy(name).value_or(Policy{});
  policy.name = name;
  try {
    VisitFields(policy, [&](const char* field, auto& value) {
      if (json.contains(field)) json.at(field).get_to(value);
    });
    if (json.contains("tolerance"))
      policy.tolerance = Tolerance{json.at("tolerance").at("atol"),
                                   json.at("tolerance").at("rtol")};
    const std::string inputs = json.value(
        "inputs", policy.inputs == InputStyle::kMixed ? "mixed" : "as_given");
    if (inputs != "mixed" && inputs != "as_given")
      return base::Usage("inputs is \"{}\"; use \"as_given\" or \"mixed\"",
                         inputs);
    policy.inputs =
        inputs == "mixed" ? InputStyle::kMixed : InputStyle::kAsGiven;
  } catch (const nlohmann::json::exception& e) {
    return base::Usage("policy \"{}\": {}", name, e.what());
  }
  KB_TRY(CheckRanges(policy));
  return policy;
}

std::optional<Policy> NamedPolicy(const std::string& name) {
  if (name == "kernelbench") return Policy{};
  if (name == "strict") return Strict();
  if (name == "own-kernels") return OwnKernels();
  return std::nullopt;
}

Tolerance DefaultTolerance(Precision precision) {
  if (precision == Precision::kFp32) return {1e-4, 1e-4};
  return {1e-2, 1e-2};
}

}  // namespace kb::record
