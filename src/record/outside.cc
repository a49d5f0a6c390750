#include "record/outside.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "lists.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr base::Words<Distribution, kDistributions> kNames{
    {{Distribution::kLongTail, "long_tail"},
     {Distribution::kLarge, "large"},
     {Distribution::kNegative, "negative"},
     {Distribution::kPositive, "positive"},
     {Distribution::kNearZero, "near_zero"},
     {Distribution::kRepeated, "repeated"},
     {Distribution::kZipf, "zipf"},
     {Distribution::kAsGiven, "as_given"}}};

constexpr base::Words<Outside::Outcome, 3> kOutcomes{
    {{Outside::Outcome::kRight, "right"},
     {Outside::Outcome::kWrong, "wrong"},
     {Outside::Outcome::kLeftOut, "left_out"}}};

}  // namespace

const char* DistributionName(Distribution distribution) {
  return kNames.Of(distribution);
}

std::optional<Distribution> ParseDistribution(const std::string& name) {
  return kNames.Parse(name);
}

const char* OutcomeName(Outside::Outcome outcome) {
  return kOutcomes.Of(outcome);
}

Json ToJson(const Outside::Case& one) {
  return {{"name", one.name},
          {"outcome", OutcomeName(one.outcome)},
          {"reason", one.reason}};
}

Result<Outside::Case> OutsideCaseFromJson(const Json& json) {
  Outside::Case one;
  KB_ASSIGN(one.name, base::Get<std::string>(json, "name"));
  KB_ASSIGN(one.reason, base::Get<std::string>(json, "reason"));
  KB_ASSIGN(const auto outcome, base::Get<std::string>(json, "outcome"));
  const auto known = kOutcomes.Parse(outcome);
  if (!known)
    return base::Fail("outcome \"{}\" is none of {}", outcome,
                      kOutcomes.List());
  one.outcome = *known;
  return one;
}

bool Outside::shape_specialised() const {
  return std::ranges::any_of(
      sizes, [](const Case& one) { return one.outcome == Outcome::kWrong; });
}

Json ToJson(const Outside& outside) {
  return {{"distributions", ListToJson(outside.distributions)},
          {"sizes", ListToJson(outside.sizes)},
          {"no_sizes", outside.no_sizes},
          {"shape_specialised", outside.shape_specialised()}};
}

Result<Outside> OutsideFromJson(const Json& json) {
  Outside outside;
  KB_ASSIGN(
      outside.distributions,
      ListFromJson<Outside::Case>(json, "distributions", OutsideCaseFromJson));
  KB_ASSIGN(outside.sizes,
            ListFromJson<Outside::Case>(json, "sizes", OutsideCaseFromJson));
  KB_ASSIGN(outside.no_sizes, base::Get<std::string>(json, "no_sizes"));
  return outside;
}

std::string Describe(const std::vector<Outside::Case>& cases) {
  std::string text;
  for (const auto& [outcome, words] :
       {std::pair{Outside::Outcome::kRight, "right on"},
        std::pair{Outside::Outcome::kWrong, "wrong on"},
        std::pair{Outside::Outcome::kLeftOut, "left out:"}}) {
    std::string names;
    for (const Outside::Case& one : cases) {
      if (one.outcome != outcome) continue;
      names += (names.empty() ? " " : ", ") + one.name;
      if (!one.reason.empty()) names += " (" + one.reason + ")";
    }
    if (!names.empty()) text += (text.empty() ? "" : "; ") + (words + names);
  }
  return text;
}

}  // namespace kb::record
