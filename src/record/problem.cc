#include "record/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "lists.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr const char* kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr const char* kAll = "all";

bool CompareAlike(const Policy& a, const Policy& b, Precision precision) {
  const auto type = PrecisionDType(precision);
  for (const DType each :
       {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64,
        DType::kFloat8E4M3, DType::kFloat8E5M2})
    if (type.value_or(each) == each &&
        FixedTolerance(a, each) != FixedTolerance(b, each))
      return false;
  return a.error_multiple == b.error_multiple && a.inputs == b.inputs &&
         a.distributions == b.distributions && a.procedure == b.procedure &&
         a.redraw_flat_parameters == b.redraw_flat_parameters &&
         a.public_trials == b.public_trials;
}

}  // namespace

bool Size::IsNamed() const {
  return !IsSeveral() && *this != kFull && *this != kSmall && *this != kFitted;
}

bool Size::IsSeveral() const {
  return name_ == kAll || name_.find(',') != std::string::npos;
}

std::vector<Size> Size::Listed() const {
  std::vector<Size> sizes;
  if (name_ == kAll) return sizes;
  for (size_t begin = 0; begin <= name_.size();) {
    const size_t end = std::min(name_.find(',', begin), name_.size());
    sizes.push_back(Size(name_.substr(begin, end - begin)));
    begin = end + 1;
  }
  return sizes;
}

const Size& Size::Published() const { return *this == kSmall ? kSmall : kFull; }

std::string SizeName(const Size& size) { return size.name_; }

std::optional<Size> ParseSize(const std::string& name) {
  Size size(name);
  if (name == kAll) return size;
  std::vector<Size> seen;
  for (Size& each : size.Listed()) {
    if (each.name_.empty() || each.name_ == kAll ||
        each.name_.find_first_not_of(kNameLetters) != std::string::npos ||
        std::ranges::find(seen, each) != seen.end())
      return std::nullopt;
    seen.push_back(std::move(each));
  }
  if (seen.size() > 1 && std::ranges::find(seen, Size::kFitted) != seen.end())
    return std::nullopt;
  return size;
}

Policy Problem::Adjusted(Policy policy, Precision precision) const {
  if (policy.procedure == Procedure::kOriginal) return policy;
  if (inputs_as_given) {
    policy.inputs = InputStyle::kAsGiven;
    policy.distributions = false;
  }
  // Another type draws other numbers from the same generator state, so float64
  // says nothing about such a reference.
  if (random_forward) policy.error_multiple = 0;
  const auto dtype = PrecisionDType(precision);
  for (const ToleranceNote& note : tolerances)
    if (dtype && note.precision == precision && !policy.tolerance &&
        note.value > FixedTolerance(policy, *dtype).rtol)
      policy.tolerance = Tolerance{note.value, note.value};
  return policy;
}

std::string Problem::NameOf(const Policy& adjusted, Precision precision) const {
  const auto known = NamedPolicy(adjusted.name);
  // The problem's notes may be younger than a result.
  const bool changed =
      known && !CompareAlike(adjusted, *known, precision) &&
      !CompareAlike(adjusted, Adjusted(*known, precision), precision);
  return adjusted.name + (changed ? " changed" : "");
}

bool Flag::Holds(Precision precision, const Size& size,
                 const std::string& policy) const {
  const auto allows = [](const auto& list, const auto& value) {
    return list.empty() || std::ranges::find(list, value) != list.end();
  };
  if (!allows(sizes, size.Published())) return false;
  // Its inputs and tolerances are the same.
  const std::string& known = policy == "original" ? "kernelbench" : policy;
  if (!CanName(known)) return true;
  return allows(policies, known) &&
         (precision == Precision::kAsGiven || allows(precisions, precision));
}

bool Flag::CanName(const std::string& policy) {
  return policy == "kernelbench" || policy == "strict" ||
         policy == "own-kernels";
}

std::string Flag::Text() const {
  std::string where;
  const auto add = [&](const char* word, const std::string& names) {
    if (!names.empty())
      where += fmt::format("{}{} {}", where.empty() ? "" : ", ", word, names);
  };
  const auto join = [](const auto& list, auto name) {
    std::string names;
    for (const auto& value : list)
      names += (names.empty() ? "" : ", ") + std::string(name(value));
    return names;
  };
  add("in", join(precisions, PrecisionName));
  add("at size", join(sizes, SizeName));
  add("under", join(policies, [](const std::string& name) { return name; }));
  return where.empty() ? reason : where + " only: " + reason;
}

bool Problem::Supports(Precision precision) const {
  return precision == Precision::kAsGiven || precisions.empty() ||
         std::ranges::find(precisions, precision) != precisions.end();
}

Precision Problem::In(Precision wanted) const {
  return wanted == Precision::kAsGiven || !Supports(wanted) ? given : wanted;
}

std::string Problem::Hash() const { return base::Sha256(source); }

DType JudgedType(const ProblemFacts& facts, Precision precision) {
  if (const auto dtype = PrecisionDType(precision)) return *dtype;
  std::vector<DType> types;
  for (const TensorSpec& spec : TensorsOf(facts.inputs))
    types.push_back(spec.dtype);
  for (const TensorSpec& spec : facts.outputs) types.push_back(spec.dtype);
  // What comes in 8 bits is exact for all; what is returned in them is not.
  for (const TensorSpec& spec : facts.outputs)
    if (IsFloat8(spec.dtype)) return spec.dtype;
  // bfloat16 has the fewest bits of mantissa.
  for (const DType dtype :
       {DType::kBFloat16, DType::kFloat16, DType::kFloat32, DType::kFloat64})
    if (std::ranges::find(types, dtype) != types.end()) return dtype;
  return DType::kFloat32;
}

Json ToJson(const ProblemFacts& facts) {
  return {{"init_args", ListToJson(facts.init_args)},
          {"inputs", ListToJson(facts.inputs)},
          {"outputs", ListToJson(facts.outputs)},
          {"output_structure", facts.output_structure},
          {"state", ListToJson(facts.state)},
          {"constants", ToJson(facts.constants)}};
}

Result<ProblemFacts> ProblemFactsFromJson(const Json& json) {
  ProblemFacts facts;
  KB_ASSIGN(facts.init_args,
            ListFromJson<Value>(json, "init_args", ValueFromJson));
  KB_ASSIGN(facts.inputs, ListFromJson<Value>(json, "inputs", ValueFromJson));
  KB_ASSIGN(facts.outputs,
            ListFromJson<TensorSpec>(json, "outputs", TensorSpecFromJson));
  KB_ASSIGN(facts.output_structure,
            base::Get<std::string>(json, "output_structure"));
  KB_ASSIGN(facts.state,
            ListFromJson<NamedTensor>(json, "state", NamedTensorFromJson));
  KB_ASSIGN(const Json constants, base::Get<Json>(json, "constants"));
  KB_ASSIGN(facts.constants, ValueFromJson(constants));
  return facts;
}

}  // namespace kb::record
