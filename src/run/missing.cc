#include "missing.h"

#include <algorithm>
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
  KB_ASSIGN(asked.requests_, store.Requests());
  for (const record::Request& r : asked.requests_)
    asked.devices_[{r.model, r.problem_id, r.problem_hash, r.size, r.precision}]
                  [r.device_name] = r.samples;
  KB_ASSIGN(const auto progress, store.LastProgress());
  asked.progress_ = progress.value_or(record::Progress::kDone);
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto generations, store.Generations(light));
  for (const record::Generation& g : generations)
    asked.answers_[Key(g.model, g.problem_id, g.problem_hash, g.sample)]
        .push_back(g);
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

Asked::Key Asked::KeyOf(const record::Outcome& outcome) {
  return {outcome.model, outcome.problem_id, outcome.problem_hash,
          outcome.sample};
}

std::optional<double> Asked::SecondsOf(const record::Outcome& outcome) const {
  const auto found = answers_.find(KeyOf(outcome));
  if (found == answers_.end()) return std::nullopt;
  for (const record::Generation& answer : found->second)
    if (answer.turn == outcome.turn) return answer.seconds;
  return std::nullopt;
}

std::shared_ptr<const std::vector<analysis::AnswerCost>> Asked::AnswersOf(
    const record::Outcome& outcome) const {
  const auto found = costs_.find(KeyOf(outcome));
  return found == costs_.end() ? nullptr : found->second;
}

std::vector<std::string> Asked::DevicesOf(
    const record::Outcome& outcome) const {
  std::vector<std::string> devices;
  const auto found =
      devices_.find({outcome.model, outcome.problem_id, outcome.problem_hash,
                     outcome.size, outcome.precision});
  if (found == devices_.end()) return devices;
  for (const auto& [device, samples] : found->second)
    if (outcome.sample < samples) devices.push_back(device);
  return devices;
}

void Asked::Place(record::Outcome* outcome) const {
  outcome->policy = policy_;
  const auto asked = std::ranges::find_if(requests_, [&](const auto& request) {
    return request.model == outcome->model &&
           request.problem_id == outcome->problem_id &&
           request.problem_hash == outcome->problem_hash;
  });
  if (asked != requests_.end()) {
    outcome->size = asked->size;
    outcome->precision = asked->precision;
    return;
  }
  if (const auto size = manifest_.find("size"); size != manifest_.end())
    outcome->size = record::ParseSize(size->second).value_or(outcome->size);
  if (const auto found = manifest_.find("precision"); found != manifest_.end())
    outcome->precision =
        record::ParsePrecision(found->second).value_or(outcome->precision);
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
  for (const record::Request& request : requests_)
    for (int64_t sample = 0; sample < request.samples; ++sample) {
      record::Outcome outcome = OutcomeOf(request, sample);
      asked.emplace(KeyOf(outcome), std::move(outcome));
    }
  for (const auto& [key, answers] : answers_) {
    const record::Generation& answer = answers.front();
    record::Outcome outcome = OutcomeOf(
        {answer.problem_id, answer.problem_hash, answer.model}, answer.sample);
    Place(&outcome);
    asked.emplace(key, std::move(outcome));
  }
  for (const Entry& entry : entries) asked.erase(KeyOf(entry.outcome));
  std::vector<Entry> missing;
  for (auto& [key, outcome] : asked)
    missing.push_back(EntryOf(key, std::move(outcome)));
  return missing;
}

Entry Asked::EntryOf(const Key& key, record::Outcome outcome) const {
  using analysis::Missing;
  Entry entry;
  entry.outcome = std::move(outcome);
  const auto answer = answers_.find(key);
  if (answer != answers_.end()) {
    entry.missing = Missing::kNotJudged;
    entry.answers = costs_.at(key);
    return entry;
  }
  const bool done = progress_ == record::Progress::kDone;
  entry.missing = done ? Missing::kNoAnswer : Missing::kNotAsked;
  entry.over_budget = progress_ == record::Progress::kBudget;
  return entry;
}

}  // namespace kb::run
