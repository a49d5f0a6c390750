#include "workplace/names.h"

#include <fmt/format.h>

namespace kb::workplace {

std::vector<std::string> NamesOf(const std::vector<record::Flag>& flags) {
  std::vector<std::string> names;
  for (const record::Flag& flag : flags) names.push_back(flag.flag);
  return names;
}

const char* NameOf(const std::optional<record::Verdict>& verdict) {
  return verdict ? record::VerdictName(*verdict) : "not_run";
}

std::vector<std::string> NamesOf(
    const std::vector<record::Precision>& precisions) {
  std::vector<std::string> names;
  for (const record::Precision precision : precisions)
    names.emplace_back(record::PrecisionName(precision));
  return names;
}

std::string SampleName(const std::string& problem_id, int64_t sample) {
  return fmt::format("{} sample {}", problem_id, sample);
}

}  // namespace kb::workplace
