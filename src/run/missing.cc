#include "missing.h"

#include <set>
#include <utility>

#include "base/json.h"

namespace kb::run {
namespace {

using analysis::Entry;
using base::Result;

std::string PolicyOf(const std::map<std::string, std::string>& manifest) {
  const auto found = manifest.find("policy");
  if (found == manifest.end()) return "";
  const auto json = base::ParseJson(found->second, "policy");
  if (!json || !json->is_object()) return "";
  return json->value("name", "");
}

}  // namespace

Result<Asked> Asked::Of(const store::Store& store,
                        const std::map<std::string, std::string>& manifest) {
  Asked asked;
  asked.manifest_ = manifest;
  asked.policy_ = PolicyOf(manifest);
  KB_ASSIGN(const auto requests, store.Requests());
  for (const record::Request& r : requests)
    asked.requests_[{r.model, r.problem_id, r.problem_hash}].push_back(r);
  KB_ASSIGN(const auto progress, store.LastProgress());
  asked.progress_ = progress.value_or(record::Progress::kDone);
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto generations, store.Generations(light));
  for (const record::Generation& g : generations)
    asked.answers_[{g.model, g.problem_id, g.problem_hash, g.sample}].push_back(
        g);
  for (const auto& [key, answers] : asked.answers_) {
    std::vector<analysis::AnswerCost> costs;
    for (const record::Generation& g : answers)
      costs.push_back(
          {g.turn, g.usage.input + g.usage.output, g.usd, g.seconds});
    asked.costs_[key] =
        std::make_shared<const std::vector<analysis::AnswerCost>>(
            std::move(costs));
  }
  return asked;
}

Asked::AnswerKey Asked::AnswerKeyOf(const record::Outcome& outcome) {
  return {outcome.model, outcome.problem_id, outcome.problem_hash,
          outcome.sample};
}

Asked::Key Asked::KeyOf(const record::Outcome& outcome) {
  return {AnswerKeyOf(outcome), outcome.size, outcome.precision};
}

std::span<const record::Request> Asked::RequestsOf(
    const record::Outcome& outcome) const {
  const auto found =
      requests_.find({outcome.model, outcome.problem_id, outcome.problem_hash});
  if (found == requests_.end()) return {};
  return found->second;
}

std::optional<double> Asked::SecondsOf(const record::Outcome& outcome) const {
  const auto found = answers_.find(AnswerKeyOf(outcome));
  if (found == answers_.end()) return std::nullopt;
  for (const record::Generation& answer : found->second)
    if (answer.turn == outcome.turn) return answer.seconds;
  return std::nullopt;
}

std::shared_ptr<const std::vector<analysis::AnswerCost>> Asked::AnswersOf(
    const record::Outcome& outcome) const {
  const auto found = costs_.find(AnswerKeyOf(outcome));
  return found == costs_.end() ? nullptr : found->second;
}

std::vector<std::string> Asked::DevicesOf(
    const record::Outcome& outcome) const {
  std::vector<std::string> devices;
  for (const record::Request& request : RequestsOf(outcome))
    if (request.size == outcome.size &&
        request.precision == outcome.precision &&
        outcome.sample < request.samples)
      devices.push_back(request.device_name);
  return devices;
}

std::vector<record::Outcome> Asked::Placed(record::Outcome unusable) const {
  unusable.policy = policy_;
  const auto requests = RequestsOf(unusable);
  std::set<std::pair<record::Size, record::Precision>> places;
  for (const record::Request& request : requests)
    if (unusable.sample < request.samples)
      places.emplace(request.size, request.precision);
  if (places.empty() && !requests.empty())
    places.emplace(requests.front().size, requests.front().precision);
  if (places.empty()) {
    if (const auto size = manifest_.find("size"); size != manifest_.end())
      unusable.size = record::ParseSize(size->second).value_or(unusable.size);
    if (const auto found = manifest_.find("precision");
        found != manifest_.end())
      unusable.precision =
          record::ParsePrecision(found->second).value_or(unusable.precision);
    places.emplace(unusable.size, unusable.precision);
  }
  std::vector<record::Outcome> placed;
  for (const auto& [size, precision] : places) {
    record::Outcome& there = placed.emplace_back(unusable);
    there.size = size;
    there.precision = precision;
  }
  return placed;
}

record::Outcome Asked::OutcomeOf(const record::Request& request,
                                 int64_t sample) const {
  record::Outcome outcome;
  outcome.problem_id = request.problem_id;
  outcome.problem_hash = request.problem_hash;
  outcome.model = request.model;
  outcome.size = request.size;
  outcome.precision = request.precision;
  outcome.policy = policy_;
  outcome.sample = sample;
  return outcome;
}

std::vector<Entry> Asked::MissingFrom(const std::vector<Entry>& entries) const {
  std::map<Key, record::Outcome> asked;
  std::set<AnswerKey> known;  // asked for, or with an entry at any size
  for (const auto& [problem, requests] : requests_)
    for (const record::Request& request : requests)
      for (int64_t sample = 0; sample < request.samples; ++sample) {
        record::Outcome outcome = OutcomeOf(request, sample);
        known.insert(AnswerKeyOf(outcome));
        asked.emplace(KeyOf(outcome), std::move(outcome));
      }
  for (const Entry& entry : entries) {
    known.insert(AnswerKeyOf(entry.outcome));
    asked.erase(KeyOf(entry.outcome));
  }
  for (const auto& [key, answers] : answers_) {
    if (known.contains(key)) continue;
    const record::Generation& answer = answers.front();
    for (record::Outcome& outcome : Placed(
             OutcomeOf({answer.problem_id, answer.problem_hash, answer.model},
                       answer.sample)))
      asked.emplace(KeyOf(outcome), std::move(outcome));
  }
  std::vector<Entry> missing;
  for (auto& [key, outcome] : asked)
    missing.push_back(EntryOf(std::move(outcome)));
  return missing;
}

Entry Asked::EntryOf(record::Outcome outcome) const {
  using analysis::Missing;
  Entry entry;
  entry.outcome = std::move(outcome);
  if (answers_.contains(AnswerKeyOf(entry.outcome))) {
    entry.missing = Missing::kNotJudged;
    entry.answers = AnswersOf(entry.outcome);
    return entry;
  }
  const bool done = progress_ == record::Progress::kDone;
  entry.missing = done ? Missing::kNoAnswer : Missing::kNotAsked;
  entry.over_budget = progress_ == record::Progress::kBudget;
  return entry;
}

}  // namespace kb::run
