#include "work_left.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kb::run {
namespace {

using base::Result;
using record::Generation;
using record::GenerationStatus;

// A problem's sample.
using Key = std::tuple<std::string, std::string, int64_t>;
// And one of its turns.
using TurnKey = std::pair<Key, int64_t>;

Key KeyOf(const Wanted& wanted) {
  return {wanted.problem->id, wanted.Hash(), wanted.sample};
}

using Logs = std::map<Key, std::vector<record::Decision>>;

// Whether nobody was asked for this answer.
bool IsGiven(const Generation& generation, const Key& key, const Logs& logs) {
  const auto log = logs.find(key);
  return log != logs.end() &&
         std::ranges::any_of(log->second, [&](const record::Decision& line) {
           return line.ask && line.ask->turn == generation.turn &&
                  line.ask->kind == record::AskKind::kGiven;
         });
}

void AddTo(Spent* spent, const Generation& generation) {
  ++spent->answers;
  spent->usd += generation.usd.value_or(0);
  spent->priced += generation.usd ? 1 : 0;
  spent->tokens += generation.usage.input + generation.usage.output;
  spent->unpriced += IsUnpriced(generation) ? 1 : 0;
}

// Turns of `wanted` that were judged for good. Adds up what all judgements
// took.
Result<std::set<TurnKey>> JudgedIn(const store::Store& store,
                                   const std::string& model,
                                   const std::set<Key>& wanted, Keeper* keeper,
                                   Spent* spent) {
  KB_ASSIGN(const auto outcomes, store.Outcomes());
  std::set<TurnKey> judged;
  for (const record::Outcome& outcome : outcomes) {
    spent->device_seconds += outcome.wall_seconds - outcome.compile_seconds;
    // What an earlier ruler measured is no result of this run any more.
    const bool outdated =
        outcome.ruler > 0 && outcome.ruler < record::kRulerVersion;
    if (outcome.unusable || outcome.model != model || outdated ||
        outcome.confirms || outcome.verdict == record::Verdict::kInfraError)
      continue;
    const Key key{outcome.problem_id, outcome.problem_hash, outcome.sample};
    if (wanted.contains(key) && judged.insert({key, outcome.turn}).second)
      keeper->OnKnownVerdict(outcome);
  }
  return judged;
}

// The status of the first answer of each sample that has one.
Result<std::map<Key, GenerationStatus>> AnsweredIn(const store::Store& store,
                                                   const std::string& model,
                                                   const std::set<Key>& wanted,
                                                   const Logs& logs,
                                                   Keeper* keeper, Work* work) {
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto generations, store.Generations(light));
  std::map<Key, GenerationStatus> answered;
  for (const Generation& generation : generations) {
    const Key key{generation.problem_id, generation.problem_hash,
                  generation.sample};
    if (generation.model != model || !IsGiven(generation, key, logs))
      AddTo(&work->spent, generation);
    if (generation.model != model || !wanted.contains(key)) continue;
    keeper->OnKnownAnswer(generation);
    if (generation.turn == 1) answered[key] = generation.status;
  }
  return answered;
}

Result<Generation> FirstAnswer(const store::Store& store,
                               const std::string& model, const Key& key) {
  store::GenerationFilter filter;
  filter.model = model;
  filter.problem_id = std::get<0>(key);
  filter.sample = std::get<2>(key);
  filter.turn = 1;
  KB_ASSIGN(const auto found, store.Generations(filter));
  for (const Generation& generation : found)
    if (generation.problem_hash == std::get<1>(key)) return generation;
  return base::Fail("the answer for {} is gone from the store",
                    std::get<0>(key));
}

// What the searches of a model have decided.
Result<Logs> LogsIn(const store::Store& store, const std::string& model) {
  KB_ASSIGN(auto decisions, store.Decisions());
  Logs logs;
  for (record::Decision& line : decisions)
    if (line.model == model)
      logs[Key(line.problem_id, line.problem_hash, line.sample)].push_back(
          std::move(line));
  return logs;
}

}  // namespace

Result<Work> WorkLeft(const RunPlan& plan, const store::Store& store,
                      Keeper* keeper) {
  const std::string& model = plan.asking.model->name;
  std::set<Key> keys;
  for (const Wanted& wanted : plan.samples) keys.insert(KeyOf(wanted));
  Work work;
  KB_ASSIGN(const std::set<TurnKey> judged,
            JudgedIn(store, model, keys, keeper, &work.spent));
  KB_ASSIGN(const Logs logs, LogsIn(store, model));
  KB_ASSIGN(const auto answered,
            AnsweredIn(store, model, keys, logs, keeper, &work));
  for (const Wanted& wanted : plan.samples) {
    const Key key = KeyOf(wanted);
    const auto found = answered.find(key);
    const auto log = logs.find(key);
    const bool is_begun = found != answered.end() || log != logs.end();
    if (plan.asking.conversation != nullptr && (wanted.turns > 1 || is_begun)) {
      KB_ASSIGN(SampleSearch search,
                SampleSearch::Create(plan, wanted, store,
                                     log == logs.end()
                                         ? std::vector<record::Decision>()
                                         : log->second));
      work.searches.push_back(std::move(search));
    } else if (found == answered.end()) {
      work.ask.push_back(wanted);
    } else if (plan.judging && found->second == GenerationStatus::kComplete &&
               !judged.contains({key, 1})) {
      KB_ASSIGN(Generation generation, FirstAnswer(store, model, key));
      work.judge.emplace_back(wanted, std::move(generation));
    } else {
      work.done.push_back(wanted);
    }
  }
  return work;
}

}  // namespace kb::run
