#include "record/audit.h"

#include <numeric>

#include "base/words.h"
#include "lists.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

using Status = MutantResult::Status;
constexpr base::Words<Status, 4> kStatuses{
    {{Status::kKilled, "killed"},
     {Status::kSurvived, "survived"},
     {Status::kNotApplicable, "not_applicable"},
     {Status::kFailed, "failed"}}};

uint64_t BytesOf(const std::vector<TensorSpec>& specs) {
  return std::accumulate(
      specs.begin(), specs.end(), uint64_t{0},
      [](uint64_t sum, const TensorSpec& spec) { return sum + spec.Bytes(); });
}

Json OrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Result<std::optional<double>> OptionalFromJson(const Json& json,
                                               const char* key) {
  if (!json.contains(key) || json.at(key).is_null())
    return std::optional<double>();
  KB_ASSIGN(const double value, base::Get<double>(json, key));
  return std::optional(value);
}

Result<MutantResult> MutantFromJson(const Json& json) {
  MutantResult mutant;
  KB_ASSIGN(mutant.name, base::Get<std::string>(json, "name"));
  KB_ASSIGN(mutant.detail, base::Get<std::string>(json, "detail"));
  KB_ASSIGN(mutant.trial, base::Get<std::string>(json, "trial"));
  KB_ASSIGN(mutant.least_tolerance, OptionalFromJson(json, "least_tolerance"));
  KB_ASSIGN(const auto outcome, base::Get<std::string>(json, "outcome"));
  const auto status = kStatuses.Parse(outcome);
  if (!status) return base::Fail("unknown outcome \"{}\" of a mutant", outcome);
  mutant.status = *status;
  return mutant;
}

}  // namespace

const char* StatusName(MutantResult::Status status) {
  return kStatuses.Of(status);
}

uint64_t Audit::InputBytes() const { return BytesOf(inputs); }
uint64_t Audit::OutputBytes() const { return BytesOf(outputs); }
uint64_t Audit::CompulsoryBytes() const {
  return InputBytes() + state_bytes + OutputBytes();
}

std::vector<std::string> Audit::Survivors() const {
  std::vector<std::string> names;
  for (const MutantResult& mutant : mutants)
    if (mutant.status == MutantResult::Status::kSurvived)
      names.push_back(mutant.name);
  return names;
}

const MutantResult* Audit::Cheapest() const {
  const MutantResult* cheapest = nullptr;
  for (const MutantResult& mutant : mutants)
    if (mutant.status == MutantResult::Status::kKilled &&
        mutant.least_tolerance &&
        (cheapest == nullptr ||
         *mutant.least_tolerance < *cheapest->least_tolerance))
      cheapest = &mutant;
  return cheapest;
}

Json ToJson(const Audit& audit) {
  Json mutants = Json::array();
  for (const MutantResult& mutant : audit.mutants)
    mutants.push_back({{"name", mutant.name},
                       {"outcome", StatusName(mutant.status)},
                       {"detail", mutant.detail},
                       {"trial", mutant.trial},
                       {"least_tolerance", OrNull(mutant.least_tolerance)}});
  return {{"inputs", ListToJson(audit.inputs)},
          {"outputs", ListToJson(audit.outputs)},
          {"state_bytes", audit.state_bytes},
          {"peak_bytes", audit.peak_bytes},
          {"flops", audit.flops},
          {"reference_us", audit.reference_us},
          {"repeatable", audit.repeatable},
          {"finite", audit.finite},
          {"honest_tolerance", OrNull(audit.honest_tolerance)},
          {"unused_parameters", audit.unused_parameters},
          {"ignored_inputs", audit.ignored_inputs},
          {"mutants", std::move(mutants)}};
}

Result<Audit> AuditFromJson(const Json& json) {
  Audit audit;
  KB_ASSIGN(audit.inputs,
            ListFromJson<TensorSpec>(json, "inputs", TensorSpecFromJson));
  KB_ASSIGN(audit.outputs,
            ListFromJson<TensorSpec>(json, "outputs", TensorSpecFromJson));
  KB_ASSIGN(audit.state_bytes, base::Get<uint64_t>(json, "state_bytes"));
  KB_ASSIGN(audit.peak_bytes, base::Get<uint64_t>(json, "peak_bytes"));
  KB_ASSIGN(audit.flops, base::Get<double>(json, "flops"));
  KB_ASSIGN(audit.reference_us, base::Get<double>(json, "reference_us"));
  KB_ASSIGN(audit.repeatable, base::Get<bool>(json, "repeatable"));
  KB_ASSIGN(audit.finite, base::Get<bool>(json, "finite"));
  KB_ASSIGN(audit.honest_tolerance, OptionalFromJson(json, "honest_tolerance"));
  KB_ASSIGN(audit.unused_parameters,
            base::Get<std::vector<std::string>>(json, "unused_parameters"));
  KB_ASSIGN(audit.ignored_inputs,
            base::Get<std::vector<std::string>>(json, "ignored_inputs"));
  KB_ASSIGN(audit.mutants,
            ListFromJson<MutantResult>(json, "mutants", MutantFromJson));
  return audit;
}

}  // namespace kb::record
