#include "store/merge.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/json.h"

namespace kb::store {
namespace {

using base::Result;

// Of a value that a store gave back.
template <typename T>
std::string HashOf(const T& value) {
  return base::Sha256(base::DumpJson(record::ToJson(value)));
}

class Merger {
 public:
  explicit Merger(Store* merged) : merged_(merged) {}

  Result<void> Add(const NamedStore& from, MergeCount* count) {
    KB_TRY(AddGenerations(from));
    KB_TRY(TakeLogs(from));
    KB_TRY(TakeSettings(from));
    KB_ASSIGN(const auto requests, from.store.Requests());
    KB_TRY(merged_->AddRequests(requests));
    KB_ASSIGN(const auto progress, from.store.LastProgress());
    if (progress) progress_.insert(*progress);
    KB_ASSIGN(const auto baselines, from.store.Baselines());
    for (const record::Baseline& baseline : baselines)
      if (seen_.insert(HashOf(baseline)).second)
        KB_TRY(merged_->Append(baseline));
    KB_ASSIGN(const auto evaluations, from.store.Evaluations());
    for (const record::Evaluation& evaluation : evaluations) {
      const bool is_new = seen_.insert(HashOf(evaluation)).second;
      ++(is_new ? count->samples : count->twice);
      if (is_new) KB_TRY(merged_->Append(evaluation));
    }
    return base::Ok();
  }

  // Of a search that several stores have the one that came furthest.
  Result<void> AddDecisions() {
    for (const auto& [key, log] : logs_) KB_TRY(merged_->AddDecisions(log));
    return base::Ok();
  }

  // Those that all agree in, into `merged`, and the names of the others.
  Result<std::set<std::string>> AddSettings() {
    std::map<std::string, std::string> agreed;
    std::set<std::string> differing;
    for (const auto& [name, values] : settings_)
      if (values.size() == 1)
        agreed[name] = *values.begin();
      else
        differing.insert(name);
    KB_TRY(merged_->AddToManifest(agreed));
    return differing;
  }

  // The runs came as far as the one that came least far.
  Result<void> AddProgress() {
    using enum record::Progress;
    for (const auto progress : {kBudget, kStopped, kRunning, kDone})
      if (progress_.contains(progress)) return merged_->AddProgress(progress);
    return base::Ok();
  }

 private:
  // Model, problem, its hash, sample, turn: what a store keeps once.
  using Key =
      std::tuple<std::string, std::string, std::string, int64_t, int64_t>;

  Result<void> AddGenerations(const NamedStore& from) {
    KB_ASSIGN(const auto generations, from.store.Generations());
    for (const record::Generation& g : generations) {
      const auto [known, is_new] = answers_.try_emplace(
          Key(g.model, g.problem_id, g.problem_hash, g.sample, g.turn),
          HashOf(g), from.name);
      if (is_new) {
        KB_TRY(merged_->Append(g));
      } else if (known->second.first != HashOf(g)) {
        return base::Usage(
            "{} and {} have different answers of {} for sample {} of {}: they "
            "are two runs, which cannot be one store",
            known->second.second, from.name, g.model, g.sample, g.problem_id);
      }
    }
    return base::Ok();
  }

  Result<void> TakeLogs(const NamedStore& from) {
    KB_ASSIGN(const auto decisions, from.store.Decisions());
    std::map<Key, std::vector<record::Decision>> logs;
    for (const record::Decision& line : decisions)
      logs[{line.model, line.problem_id, line.problem_hash, line.sample, 0}]
          .push_back(line);
    for (auto& [key, log] : logs)
      if (log.size() > logs_[key].size()) logs_[key] = std::move(log);
    return base::Ok();
  }

  Result<void> TakeSettings(const NamedStore& from) {
    KB_ASSIGN(const auto manifest, from.store.Manifest());
    for (const auto& [name, value] : manifest) settings_[name].insert(value);
    return base::Ok();
  }

  Store* merged_;
  std::map<std::string, std::set<std::string>> settings_;  // values by name
  std::map<Key, std::vector<record::Decision>> logs_;      // turn 0
  std::set<record::Progress> progress_;  // of each of the stores
  std::set<std::string> seen_;           // hashes of evaluations and baselines
  // The answer's hash and whose it is.
  std::map<Key, std::pair<std::string, std::string>> answers_;
};

}  // namespace

Result<MergeCount> MergeInto(const std::vector<NamedStore>& stores,
                             Store* merged) {
  Merger merger(merged);
  MergeCount count;
  for (const NamedStore& from : stores) KB_TRY(merger.Add(from, &count));
  KB_TRY(merger.AddDecisions());
  KB_TRY(merger.AddProgress());
  KB_ASSIGN(count.differing, merger.AddSettings());
  return count;
}

}  // namespace kb::store
