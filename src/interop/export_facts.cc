#include "interop/export_facts.h"

#include "interop/original.h"
#include "record/document.h"

namespace kb::interop {

using base::Json;
using base::Result;

Json ExportFactsOf(const std::vector<record::Evaluation>& evaluations,
                   const std::string& level) {
  Json list = Json::array();
  for (const auto& [problem, samples] : SamplesOf(evaluations)) {
    int64_t place = 0;
    for (const record::Evaluation* evaluation : samples)
      list.push_back(
          {{"problem", problem},
           {"sample", SampleNumber(*evaluation, place++)},
           {"problem_hash", evaluation->problem_hash},
           {"model", evaluation->model},
           {"size", record::SizeName(evaluation->size)},
           {"precision", record::PrecisionName(evaluation->precision)},
           {"verdict", record::VerdictName(*evaluation->verdict)}});
  }
  return record::Document("export", {{"version", KB_VERSION},
                                     {"level", level},
                                     {"samples", std::move(list)}});
}

Result<ExportFacts> ParseExportFacts(const std::string& text) {
  KB_ASSIGN(const Json json, base::ParseJson(text, kExportFactsFile));
  KB_ASSIGN(const auto schema, base::Get<std::string>(json, "schema"));
  if (schema != record::SchemaId("export"))
    return base::Usage("schema \"{}\": this version reads {}", schema,
                       record::SchemaId("export"));
  ExportFacts facts;
  KB_ASSIGN(facts.level, base::Get<std::string>(json, "level"));
  KB_ASSIGN(const Json list, base::Get<Json>(json, "samples"));
  for (const Json& item : list) {
    KB_ASSIGN(const auto problem, base::Get<int64_t>(item, "problem"));
    KB_ASSIGN(const auto number, base::Get<int64_t>(item, "sample"));
    KB_ASSIGN(const auto size, base::Get<std::string>(item, "size"));
    KB_ASSIGN(const auto precision, base::Get<std::string>(item, "precision"));
    KB_ASSIGN(const auto verdict, base::Get<std::string>(item, "verdict"));
    ExportFacts::Sample sample;
    KB_ASSIGN(sample.problem_hash,
              base::Get<std::string>(item, "problem_hash"));
    KB_ASSIGN(sample.model, base::Get<std::string>(item, "model"));
    const auto known_size = record::ParseSize(size);
    const auto known_precision = record::ParsePrecision(precision);
    const auto known_verdict = record::ParseVerdict(verdict);
    if (!known_size || !known_precision || !known_verdict)
      return base::Usage("problem {}, sample {}: {}, {}, {} are not known",
                         problem, number, size, precision, verdict);
    sample.size = *known_size;
    sample.precision = *known_precision;
    sample.verdict = *known_verdict;
    facts.samples[{problem, number}] = std::move(sample);
  }
  return facts;
}

}  // namespace kb::interop
