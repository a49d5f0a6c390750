#include "policies.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "analysis/rulers.h"

namespace kb::run {
namespace {

using analysis::Entry;

// Of what a policy judged that is no model's; else empty.
std::string PolicyOf(const Entry& entry) {
  const record::Outcome& outcome = entry.outcome;
  return analysis::IsOfAModel(outcome) ? "" : outcome.policy;
}

std::string NameUnder(const std::string& run, const std::string& policy) {
  return policy.empty() ? run : fmt::format("{} under {}", run, policy);
}

}  // namespace

void TakePoliciesApart(analysis::RunReading* reading) {
  std::map<std::string, std::set<std::string>> policies;  // by run
  for (const Entry& entry : reading->entries)
    policies[entry.run].insert(PolicyOf(entry));
  std::erase_if(policies, [](const auto& of_run) {
    return of_run.second.size() - of_run.second.count("") < 2;
  });

  std::map<std::string, std::vector<std::string>> become;
  for (const auto& [run, of_run] : policies)
    for (const std::string& policy : of_run)
      become[run].push_back(NameUnder(run, policy));
  RenameRuns(become, reading);
  for (Entry& entry : reading->entries)
    if (policies.contains(entry.run))
      entry.run = NameUnder(entry.run, PolicyOf(entry));
}

void RenameRuns(const std::map<std::string, std::vector<std::string>>& become,
                analysis::RunReading* reading) {
  const auto paths = std::exchange(reading->paths, {});
  const auto names = std::exchange(reading->names, {});
  const auto manifests = std::exchange(reading->manifests, {});
  for (size_t i = 0; i < names.size(); ++i) {
    const auto found = become.find(names[i]);
    const std::vector<std::string> now =
        found == become.end() ? std::vector{names[i]} : found->second;
    for (const std::string& name : now) {
      reading->names.push_back(name);
      reading->paths.push_back(paths.at(i));
      reading->manifests.push_back(manifests.at(i));
    }
  }
}

}  // namespace kb::run
