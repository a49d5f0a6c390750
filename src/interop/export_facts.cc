#include "interop/export_facts.h"

#include <set>

#include "interop/original.h"
#include "record/document.h"

namespace kb::interop {

using base::Json;
using base::Result;

namespace {

constexpr const char* kFirstVersion = "kernelbench/export/1";

Json SpeedupOf(const std::optional<record::Interval>& interval) {
  return interval ? record::ToJson(*interval) : Json();
}

Json SampleOf(const record::Evaluation& evaluation, int64_t problem,
              int64_t number) {
  const auto& verdict = evaluation.verdict;
  return {{"problem", problem},
          {"sample", number},
          {"problem_hash", evaluation.problem_hash},
          {"model", evaluation.model},
          {"size", record::SizeName(evaluation.size)},
          {"precision", record::PrecisionName(evaluation.precision)},
          {"verdict", verdict ? Json(record::VerdictName(*verdict)) : Json()},
          {"policy", evaluation.policy.name},
          {"speedup", SpeedupOf(evaluation.speedup)},
          {"wall_speedup", SpeedupOf(evaluation.wall_speedup)}};
}

// A speedup or none.
Result<std::optional<record::Interval>> SpeedupIn(const Json& item,
                                                  const std::string& field) {
  const auto found = item.find(field);
  if (found == item.end() || found->is_null())
    return std::optional<record::Interval>();
  record::Interval interval;
  KB_ASSIGN(interval.estimate, base::Get<double>(*found, "estimate"));
  KB_ASSIGN(interval.low, base::Get<double>(*found, "low"));
  KB_ASSIGN(interval.high, base::Get<double>(*found, "high"));
  return std::optional(interval);
}

Result<std::optional<record::Verdict>> VerdictIn(const Json& item) {
  if (item.contains("verdict") && item["verdict"].is_null())
    return std::optional<record::Verdict>();
  KB_ASSIGN(const auto name, base::Get<std::string>(item, "verdict"));
  const auto verdict = record::ParseVerdict(name);
  if (!verdict) return base::Usage("the verdict {} is not known", name);
  return verdict;
}

Result<ExportFacts::Sample> SampleIn(const Json& item) {
  ExportFacts::Sample sample;
  KB_ASSIGN(sample.problem_hash, base::Get<std::string>(item, "problem_hash"));
  KB_ASSIGN(sample.model, base::Get<std::string>(item, "model"));
  KB_ASSIGN(const auto size, base::Get<std::string>(item, "size"));
  KB_ASSIGN(const auto precision, base::Get<std::string>(item, "precision"));
  const auto known_size = record::ParseSize(size);
  const auto known_precision = record::ParsePrecision(precision);
  if (!known_size || !known_precision)
    return base::Usage("{}, {} are not known", size, precision);
  sample.size = *known_size;
  sample.precision = *known_precision;
  KB_ASSIGN(sample.verdict, VerdictIn(item));
  sample.policy = base::Get<std::string>(item, "policy").value_or("");
  KB_ASSIGN(sample.speedup, SpeedupIn(item, "speedup"));
  KB_ASSIGN(sample.wall_speedup, SpeedupIn(item, "wall_speedup"));
  return sample;
}

Result<std::map<std::string, record::Policy>> PoliciesIn(const Json& json) {
  std::map<std::string, record::Policy> policies;
  const auto found = json.find("policies");
  if (found == json.end()) return policies;
  for (const Json& item : *found) {
    KB_ASSIGN(record::Policy policy, record::PolicyFromJson(item));
    policies[policy.name] = policy;
  }
  return policies;
}

}  // namespace

Json ExportFactsOf(const std::vector<record::Evaluation>& evaluations,
                   const std::string& level) {
  Json list = Json::array();
  std::map<std::string, Json> policies;
  std::set<std::pair<int64_t, int64_t>> taken;
  for (const auto& [problem, samples] : SamplesOf(evaluations)) {
    const std::vector<int64_t> numbers = SampleNumbers(samples);
    for (size_t i = 0; i < samples.size(); ++i) {
      list.push_back(SampleOf(*samples[i], problem, numbers[i]));
      taken.emplace(problem, numbers[i]);
    }
  }
  for (const record::Evaluation& evaluation : evaluations) {
    policies[evaluation.policy.name] = record::ToJson(evaluation.policy);
    const auto problem = NumberIn(evaluation.problem_id);
    if (!problem || evaluation.sample < 0 || HasOriginalResult(evaluation))
      continue;
    int64_t number = evaluation.sample;
    while (!taken.emplace(*problem, number).second) ++number;
    list.push_back(SampleOf(evaluation, *problem, number));
  }
  Json said = Json::array();
  for (auto& [name, policy] : policies) said.push_back(std::move(policy));
  return record::Document("export", {{"version", KB_VERSION},
                                     {"level", level},
                                     {"policies", std::move(said)},
                                     {"samples", std::move(list)}});
}

Result<ExportFacts> ParseExportFacts(const std::string& text) {
  KB_ASSIGN(const Json json, base::ParseJson(text, kExportFactsFile));
  KB_ASSIGN(const auto schema, base::Get<std::string>(json, "schema"));
  if (schema != record::SchemaId("export") && schema != kFirstVersion)
    return base::Usage("schema \"{}\": this version reads {} and {}", schema,
                       kFirstVersion, record::SchemaId("export"));
  ExportFacts facts;
  KB_ASSIGN(facts.level, base::Get<std::string>(json, "level"));
  KB_ASSIGN(facts.policies, PoliciesIn(json));
  KB_ASSIGN(const Json list, base::Get<Json>(json, "samples"));
  for (const Json& item : list) {
    KB_ASSIGN(const auto problem, base::Get<int64_t>(item, "problem"));
    KB_ASSIGN(const auto number, base::Get<int64_t>(item, "sample"));
    auto sample = SampleIn(item);
    if (!sample)
      return base::Usage("problem {}, sample {}: {}", problem, number,
                         sample.error().message());
    facts.samples[{problem, number}] = std::move(*sample);
  }
  return facts;
}

}  // namespace kb::interop
