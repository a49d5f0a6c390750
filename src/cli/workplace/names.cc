#include "workplace/names.h"

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

}  // namespace kb::workplace
