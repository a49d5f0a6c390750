#include "record/policy.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/text.h"
#include "base/words.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr base::Words<Precision, 4> kPrecisions{{
    {Precision::kFp32, "fp32"},
    {Precision::kFp16, "fp16"},
    {Precision::kBf16, "bf16"},
    {Precision::kAsGiven, "as_given"},
}};

constexpr base::Words<InputStyle, 2> kInputStyles{
    {{InputStyle::kAsGiven, "as_given"}, {InputStyle::kMixed, "mixed"}}};

constexpr base::Words<PrecisionRule, 3> kPrecisionRules{
    {{PrecisionRule::kAsReference, "as_reference"},
     {PrecisionRule::kIeee, "ieee"},
     {PrecisionRule::kTf32, "tf32"}}};

constexpr base::Words<HiddenSizes, 3> kHiddenSizes{
    {{HiddenSizes::kOff, "off"},
     {HiddenSizes::kNoted, "noted"},
     {HiddenSizes::kRequired, "required"}}};

constexpr base::Words<Procedure, 2> kProcedures{
    {{Procedure::kOwn, "own"}, {Procedure::kOriginal, "original"}}};

// Known to everybody.
constexpr std::array<uint64_t, 5> kSeeds{42, 123, 456, 789, 1337};
// torch.manual_seed(42), then torch.randint(0, 2**32 - 1, (1,)) for each trial.
constexpr std::array<uint64_t, 5> kSeedsOfOriginal{
    734796314, 576165995, 2197670066, 839703249, 2584932063};

constexpr base::Words<ProvenanceRule, 3> kProvenanceRules{
    {{ProvenanceRule::kOff, "off"},
     {ProvenanceRule::kOn, "on"},
     {ProvenanceRule::kRequired, "required"}}};

Policy Strict() {
  Policy policy;
  policy.name = "strict";
  policy.error_multiple = 8;
  policy.inputs = InputStyle::kMixed;
  policy.distributions = true;
  policy.redraw_flat_parameters = true;
  policy.running_statistics = false;
  return policy;
}

Policy OwnKernels() {
  Policy policy;
  policy.name = "own-kernels";
  policy.allow_torch_ops = false;
  policy.provenance = ProvenanceRule::kRequired;
  return policy;
}

// kernelbench.com's v3, which takes the type of the first input, as
// src/eval/benchmark.py of 2026-04. It allows so much of the largest expected
// value; here it is so much of each.
Policy V3() {
  Policy policy;
  policy.name = "v3";
  policy.tolerances = {{DType::kFloat32, {1e-3, 1e-3}},
                       {DType::kFloat16, {1e-2, 1e-2}},
                       {DType::kBFloat16, {1e-2, 1e-2}}};
  return policy;
}

// Of scripts/eval_from_generations.py: 180 s for one kernel.
Policy Original() {
  constexpr double kLimit = 180;
  Policy policy;
  policy.name = "original";
  policy.procedure = Procedure::kOriginal;
  policy.load_seconds = policy.call_seconds = policy.wall_seconds = kLimit;
  policy.compile_seconds = kLimit;
  return policy;
}

struct Named {
  const char* name;
  Policy (*make)();
};
constexpr std::array kNamed{Named{"kernelbench", [] { return Policy(); }},
                            Named{"strict", Strict},
                            Named{"own-kernels", OwnKernels}, Named{"v3", V3},
                            Named{"original", Original}};

// Each field once, for both directions.
template <typename P, typename F>
void VisitFields(P& policy, F&& field) {
  field("public_trials", policy.public_trials);
  field("min_timed_trials", policy.min_timed_trials);
  field("max_timed_trials", policy.max_timed_trials);
  field("timed_seconds", policy.timed_seconds);
  field("relative_error", policy.relative_error);
  field("stop_below", policy.stop_below);
  field("processes", policy.processes);
  field("warm", policy.warm);
  field("error_multiple", policy.error_multiple);
  field("distributions", policy.distributions);
  field("redraw_flat_parameters", policy.redraw_flat_parameters);
  field("running_statistics", policy.running_statistics);
  field("allow_torch_ops", policy.allow_torch_ops);
  field("own_share", policy.own_share);
  field("profile", policy.profile);
  field("min_isolation", policy.min_isolation);
  field("load_seconds", policy.load_seconds);
  field("call_seconds", policy.call_seconds);
  field("wall_seconds", policy.wall_seconds);
  field("compile_seconds", policy.compile_seconds);
  field("memory_bytes", policy.memory_bytes);
}

constexpr const char* kOtherFields[] = {
    "name",   "tolerance",    "tolerances", "precision",
    "inputs", "hidden_sizes", "procedure",  "provenance"};

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

// What `json` is, where it is not what `wanted` says.
tl::unexpected<base::Error> Mistake(const char* field, const Json& json,
                                    const std::string& wanted) {
  constexpr size_t kShownBytes = 60;
  return base::Usage("policy: {} is {}; it must be {}", field,
                     base::Shorten(base::DumpJson(json), kShownBytes), wanted);
}

Result<void> Read(const Json& json, const char* field, bool* value) {
  if (!json.is_boolean()) return Mistake(field, json, "true or false");
  *value = json.get<bool>();
  return base::Ok();
}

Result<void> Read(const Json& json, const char* field, std::string* value) {
  if (!json.is_string()) return Mistake(field, json, "text");
  *value = json.get<std::string>();
  return base::Ok();
}

Result<void> Read(const Json& json, const char* field, double* value) {
  if (!json.is_number()) return Mistake(field, json, "a number");
  *value = json.get<double>();
  return base::Ok();
}

Result<void> Read(const Json& json, const char* field, int64_t* value) {
  if (!base::Fits<int64_t>(json)) return Mistake(field, json, "a whole number");
  *value = json.get<int64_t>();
  return base::Ok();
}

Result<void> ReadFields(const Json& json, Policy* policy) {
  Result<void> read = base::Ok();
  VisitFields(*policy, [&](const char* field, auto& value) {
    if (read && json.contains(field))
      read = Read(json.at(field), field, &value);
  });
  return read;
}

Result<Tolerance> ReadPair(const char* name, const Json& pair) {
  Tolerance tolerance;
  for (const auto& [field, value] : {std::pair{"atol", &tolerance.atol},
                                     std::pair{"rtol", &tolerance.rtol}}) {
    if (!pair.is_object() || !pair.contains(field))
      return Mistake(name, pair, "an object with \"atol\" and \"rtol\"");
    KB_TRY(Read(pair.at(field), field, value));
    if (!(*value >= 0)) return Mistake(field, pair.at(field), "0 or more");
  }
  if (pair.size() != 2)
    return Mistake(name, pair, "an object with \"atol\" and \"rtol\"");
  return tolerance;
}

Result<void> ReadTolerances(const Json& json, Policy* policy) {
  if (json.contains("tolerance")) {
    KB_ASSIGN(policy->tolerance, ReadPair("tolerance", json.at("tolerance")));
  }
  if (!json.contains("tolerances")) return base::Ok();
  constexpr const char* kField = "tolerances";
  const Json& types = json.at(kField);
  if (!types.is_object())
    return Mistake(kField, types, "an object of types, such as \"float16\"");
  policy->tolerances.clear();
  for (const auto& [name, pair] : types.items()) {
    const auto dtype = ParseDType(name);
    if (!dtype || !IsFloating(*dtype))
      return Mistake(kField, name,
                     "float16, bfloat16, float32, float64, float8_e4m3fn or "
                     "float8_e5m2 for each");
    KB_ASSIGN(policy->tolerances[*dtype], ReadPair(kField, pair));
  }
  return base::Ok();
}

// A word of the table; `allowed` says which there are.
template <typename T, size_t N>
Result<void> ReadWord(const Json& json, const char* field,
                      const base::Words<T, N>& words, const char* allowed,
                      T* value) {
  if (!json.contains(field)) return base::Ok();
  const Json& word = json.at(field);
  std::optional<T> known;
  if (word.is_string()) known = words.Parse(word.get_ref<const std::string&>());
  if (!known) return Mistake(field, word, allowed);
  *value = *known;
  return base::Ok();
}

template <typename T>
struct Range {
  const char* field;
  T Policy::* value;
  T least;
  T most;
};

constexpr double kDay = 86400;
constexpr Range<double> kNumberRanges[] = {
    {"timed_seconds", &Policy::timed_seconds, 0, kDay},
    {"relative_error", &Policy::relative_error, 0, 1},
    {"stop_below", &Policy::stop_below, 0, 1000},
    {"error_multiple", &Policy::error_multiple, 0, 1e6},
    {"own_share", &Policy::own_share, 0, 1},
    {"load_seconds", &Policy::load_seconds, 1, kDay},
    {"call_seconds", &Policy::call_seconds, 0.01, kDay},
    {"wall_seconds", &Policy::wall_seconds, 1, kDay},
    {"compile_seconds", &Policy::compile_seconds, 1, kDay},
};
constexpr Range<int64_t> kCountRanges[] = {
    {"public_trials", &Policy::public_trials, 0, 5},
    {"min_timed_trials", &Policy::min_timed_trials, 0, 100000},
    {"max_timed_trials", &Policy::max_timed_trials, 0, 100000},
    {"processes", &Policy::processes, 0, 32},  // 0: chosen by rule
    // A process that loads a kernel needs tens of megabytes; no machine has a
    // pebibyte.
    {"memory_bytes", &Policy::memory_bytes, int64_t{64} << 20,
     int64_t{1} << 50},
};

template <typename T>
Result<void> CheckRange(const Policy& policy, const Range<T>& range) {
  const T value = policy.*range.value;
  if (value >= range.least && value <= range.most) return base::Ok();
  return Mistake(range.field, value,
                 fmt::format("{} to {}", range.least, range.most));
}

Result<void> CheckRanges(const Policy& policy) {
  for (const auto& range : kNumberRanges) KB_TRY(CheckRange(policy, range));
  for (const auto& range : kCountRanges) KB_TRY(CheckRange(policy, range));
  if (policy.max_timed_trials < policy.min_timed_trials)
    return base::Usage(
        "policy: min_timed_trials is {}; it must be at most max_timed_trials, "
        "which is {}",
        policy.min_timed_trials, policy.max_timed_trials);
  if (policy.procedure == Procedure::kOriginal && policy.redraw_flat_parameters)
    return base::Usage(
        "policy: procedure \"original\" and redraw_flat_parameters exclude "
        "each "
        "other: parameters follow from the seed alone");
  if (policy.procedure == Procedure::kOriginal &&
      policy.precision != PrecisionRule::kAsReference)
    return base::Usage(
        "policy: procedure \"original\" takes PyTorch's TF32 as it is; "
        "precision "
        "must be \"as_reference\"");
  if (policy.public_trials + policy.min_timed_trials < 1)
    return base::Usage(
        "policy: public_trials and min_timed_trials are 0; a policy must ask "
        "for at least one trial");
  return base::Ok();
}

}  // namespace

const char* PrecisionName(Precision precision) {
  return kPrecisions.Of(precision);
}

std::optional<Precision> ParsePrecision(const std::string& name) {
  return kPrecisions.Parse(name);
}

std::string PrecisionNames() { return kPrecisions.List(); }

std::optional<DType> PrecisionDType(Precision precision) {
  switch (precision) {
    case Precision::kFp32:
      return DType::kFloat32;
    case Precision::kFp16:
      return DType::kFloat16;
    case Precision::kBf16:
      return DType::kBFloat16;
    case Precision::kAsGiven:
      break;
  }
  return std::nullopt;
}

namespace {

Json ToJson(const Tolerance& tolerance) {
  return {{"atol", tolerance.atol}, {"rtol", tolerance.rtol}};
}

}  // namespace

Json ToJson(const Policy& policy) {
  // What is left out is the named policy's when it is read again.
  const Policy named = NamedPolicy(policy.name).value_or(Policy{});
  Json json{{"name", policy.name}};
  VisitFields(policy,
              [&](const char* name, const auto& field) { json[name] = field; });
  if (policy.tolerance) json["tolerance"] = ToJson(*policy.tolerance);
  if (policy.tolerances.empty() && !named.tolerances.empty())
    json["tolerances"] = Json::object();
  for (const auto& [dtype, tolerance] : policy.tolerances)
    json["tolerances"][DTypeName(dtype)] = ToJson(tolerance);
  json["precision"] = PrecisionRuleName(policy.precision);
  json["inputs"] = kInputStyles.Of(policy.inputs);
  json["hidden_sizes"] = kHiddenSizes.Of(policy.hidden_sizes);
  if (policy.procedure != Procedure::kOwn || named.procedure != Procedure::kOwn)
    json["procedure"] = kProcedures.Of(policy.procedure);
  json["provenance"] = kProvenanceRules.Of(policy.provenance);
  return json;
}

Result<Policy> PolicyFromJson(const Json& json) {
  if (!json.is_object())
    return base::Usage("a policy must be a JSON object with a \"name\"");
  KB_TRY(CheckFieldNames(json));
  std::string name = Policy().name;
  if (json.contains("name")) KB_TRY(Read(json.at("name"), "name", &name));
  Policy policy = NamedPolicy(name).value_or(Policy{});
  policy.name = name;
  KB_TRY(ReadFields(json, &policy));
  KB_TRY(ReadTolerances(json, &policy));
  KB_TRY(ReadWord(json, "precision", kPrecisionRules,
                  "\"as_reference\", \"ieee\" or \"tf32\"", &policy.precision));
  KB_TRY(ReadWord(json, "inputs", kInputStyles, "\"as_given\" or \"mixed\"",
                  &policy.inputs));
  KB_TRY(ReadWord(json, "hidden_sizes", kHiddenSizes,
                  "\"off\", \"noted\" or \"required\"", &policy.hidden_sizes));
  KB_TRY(ReadWord(json, "procedure", kProcedures, "\"own\" or \"original\"",
                  &policy.procedure));
  KB_TRY(ReadWord(json, "provenance", kProvenanceRules,
                  "\"off\", \"on\" or \"required\"", &policy.provenance));
  KB_TRY(CheckRanges(policy));
  return policy;
}

const char* PrecisionRuleName(PrecisionRule rule) {
  return kPrecisionRules.Of(rule);
}

std::optional<PrecisionRule> ParsePrecisionRule(const std::string& name) {
  return kPrecisionRules.Parse(name);
}

std::optional<ProvenanceRule> ParseProvenanceRule(const std::string& name) {
  return kProvenanceRules.Parse(name);
}

std::optional<Policy> NamedPolicy(const std::string& name) {
  for (const Named& named : kNamed)
    if (name == named.name) return named.make();
  return std::nullopt;
}

std::string PolicyNames() {
  std::string names;
  for (const Named& named : kNamed)
    names += (names.empty() ? "" : ", ") + std::string(named.name);
  return names;
}

std::vector<uint64_t> PublicSeeds(const Policy& policy) {
  const auto& seeds =
      policy.procedure == Procedure::kOriginal ? kSeedsOfOriginal : kSeeds;
  return {seeds.begin(), seeds.begin() + policy.public_trials};
}

Tolerance FixedTolerance(const Policy& policy, DType dtype) {
  if (policy.tolerance) return *policy.tolerance;
  if (const auto known = policy.tolerances.find(dtype);
      known != policy.tolerances.end())
    return known->second;
  // One step of numbers of 8 bits.
  if (dtype == DType::kFloat8E4M3) return {1e-2, 0.125};
  if (dtype == DType::kFloat8E5M2) return {1e-2, 0.25};
  const bool wide = dtype != DType::kFloat16 && dtype != DType::kBFloat16;
  return wide ? Tolerance{1e-4, 1e-4} : Tolerance{1e-2, 1e-2};
}

}  // namespace kb::record
