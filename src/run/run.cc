#include "run/run.h"

#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "keeper.h"
#include "source_check/classify.h"

namespace kb::run {
namespace {

using base::Result;
using record::Generation;
using record::GenerationStatus;

// A problem's sample.
using Key = std::tuple<std::string, std::string, int64_t>;

// What a run still needs.
struct Work {
  std::vector<Wanted> ask;
  std::vector<std::pair<size_t, Generation>> judge;  // answered before
  double spent = 0;      // USD, on all answers that are there
  int64_t unpriced = 0;  // of these
};

Key KeyOf(const Wanted& wanted) {
  return {wanted.problem->id, wanted.problem->Hash(), wanted.sample};
}

// Those of `wanted` that were judged for good.
Result<std::set<Key>> JudgedIn(const store::Store& store,
                               const std::string& model,
                               const std::set<Key>& wanted, Keeper* keeper) {
  KB_ASSIGN(const auto outcomes, store.Outcomes());
  std::set<Key> judged;
  for (const record::Outcome& outcome : outcomes) {
    // What an earlier ruler measured is no result of this run any more.
    const bool outdated =
        outcome.ruler > 0 && outcome.ruler < record::kRulerVersion;
    if (outcome.unusable || outcome.model != model || outdated ||
        outcome.verdict == record::Verdict::kInfraError)
      continue;
    const Key key{outcome.problem_id, outcome.problem_hash, outcome.sample};
    if (wanted.contains(key) && judged.insert(key).second)
      keeper->OnKnownVerdict(outcome);
  }
  return judged;
}

Result<Generation> Recorded(const store::Store& store, const Key& key) {
  store::GenerationFilter filter;
  filter.problem_id = std::get<0>(key);
  filter.sample = std::get<2>(key);
  KB_ASSIGN(const auto found, store.Generations(filter));
  for (const Generation& generation : found)
    if (generation.problem_hash == std::get<1>(key)) return generation;
  return base::Fail("the answer for {} is gone from the store",
                    std::get<0>(key));
}

Result<Work> WorkLeft(const RunPlan& plan, const store::Store& store,
                      Keeper* keeper) {
  const std::string& model = plan.asking.model->name;
  std::set<Key> keys;
  for (const Wanted& wanted : plan.samples) keys.insert(KeyOf(wanted));
  KB_ASSIGN(const std::set<Key> judged, JudgedIn(store, model, keys, keeper));
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto generations, store.Generations(light));
  std::map<Key, GenerationStatus> answered;
  Work work;
  for (const Generation& generation : generations) {
    work.spent += generation.usd.value_or(0);
    work.unpriced += IsUnpriced(generation) ? 1 : 0;
    const Key key{generation.problem_id, generation.problem_hash,
                  generation.sample};
    if (generation.model != model || !keys.contains(key)) continue;
    keeper->OnKnownAnswer(generation);
    answered[key] = generation.status;
  }
  for (const Wanted& wanted : plan.samples) {
    const Key key = KeyOf(wanted);
    const auto found = answered.find(key);
    if (found == answered.end()) {
      work.ask.push_back(wanted);
    } else if (plan.judging && found->second == GenerationStatus::kComplete &&
               !judged.contains(key)) {
      KB_ASSIGN(Generation generation, Recorded(store, key));
      work.judge.emplace_back(wanted.index, std::move(generation));
    }
  }
  return work;
}

// An answer's code as a task.
Result<eval::Task> TaskOf(const RunPlan& plan, const Wanted& wanted,
                          const Generation& generation) {
  eval::Task task;
  task.problem = *wanted.problem;
  KB_ASSIGN(task.candidate, source_check::Classify(generation.candidate_name,
                                                   generation.source));
  task.precision = wanted.precision;
  task.policy = task.problem.Adjusted(plan.judging->policy, task.precision);
  task.model = plan.asking.model->name;
  task.sample = wanted.sample;
  return task;
}

// Asks and judges at the same time until nothing is left or `stop`.
class Running {
 public:
  Running(const RunPlan& plan, Work work, Keeper* keeper, std::stop_source stop)
      : plan_(plan),
        asking_(plan.asking),
        work_(std::move(work)),
        keeper_(keeper),
        stop_(std::move(stop)) {
    asking_.spent = work_.spent;
    asking_.unpriced = work_.unpriced;
  }

  Result<AskingResult> Run() {
    for (const auto& [index, generation] : work_.judge)
      Hand(plan_.samples[index], generation);
    std::jthread asker([this] {
      result_ = AskAll(asking_, work_.ask, callbacks_, stop_.get_token());
      queue_.Close();
    });
    Result<void> judged = base::Ok();
    if (plan_.judging)
      judged = plan_.judging->judge(&queue_, keeper_, stop_.get_token());
    const bool failed = !judged && !stop_.stop_requested();
    // No answer is paid for that nobody judges.
    if (failed) stop_.request_stop();
    asker.join();
    if (failed) return base::Propagate(judged.error());
    return result_;
  }

 private:
  void Hand(const Wanted& wanted, const Generation& generation) {
    if (!plan_.judging) return;
    auto task = TaskOf(plan_, wanted, generation);
    if (task)
      queue_.Add(wanted.index, std::move(*task));
    else
      keeper_->OnUnanswered(wanted.index, task.error().message());
  }

  const RunPlan& plan_;
  AskingPlan asking_;
  Work work_;
  Keeper* keeper_;
  std::stop_source stop_;
  eval::TaskQueue queue_;
  AskingResult result_;
  AskingCallbacks callbacks_{
      [this](size_t index, const std::string& step) {
        keeper_->OnAsking(index, step);
      },
      [this](const Wanted& wanted, const Generation& generation) {
        if (!keeper_->OnAnswer(wanted.index, generation)) return false;
        if (generation.status == GenerationStatus::kComplete)
          Hand(wanted, generation);
        return true;
      },
      [this](const Wanted& wanted, const std::string& why) {
        keeper_->OnUnanswered(wanted.index, why);
      }};
};

record::Progress ProgressOf(const AskingResult& asking,
                            const std::stop_token& stop) {
  if (asking.budget_reached || asking.unpriced_ended_it)
    return record::Progress::kBudget;
  if (asking.fatal || stop.stop_requested()) return record::Progress::kStopped;
  return record::Progress::kDone;
}

}  // namespace

Result<RunResult> Run(const RunPlan& plan, store::Store* store,
                      RunObserver* observer, const std::stop_token& stop) {
  if (const auto kept = store->AddToManifest(plan.manifest); !kept)
    return base::Propagate(kept.error().Wrap(
        "this run was begun differently; go on as it was, or name another "
        "--store"));
  KB_TRY(store->AddRequests(plan.requests));
  KB_TRY(store->AddProgress(record::Progress::kRunning));
  std::stop_source own_stop;
  const std::stop_callback forward(stop, [&] { own_stop.request_stop(); });
  Keeper keeper(store, observer, own_stop);
  KB_ASSIGN(Work work, WorkLeft(plan, *store, &keeper));
  KB_ASSIGN(AskingResult asking,
            Running(plan, std::move(work), &keeper, own_stop).Run());
  RunResult result{std::move(asking), keeper.TakeEvaluations(), keeper.Error()};
  // What could not be kept says why itself.
  if (!result.not_kept)
    KB_TRY(store->AddProgress(ProgressOf(result.asking, own_stop.get_token())));
  return result;
}

}  // namespace kb::run
