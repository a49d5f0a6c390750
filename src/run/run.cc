#include "run/run.h"

#include <limits>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "backlog.h"
#include "keeper.h"
#include "kept_turns.h"
#include "source_check/classify.h"

namespace kb::run {
namespace {

using base::Result;
using record::Evaluation;
using record::Generation;
using record::GenerationStatus;

// A problem's sample.
using Key = std::tuple<std::string, std::string, int64_t>;
// And one of its turns.
using TurnKey = std::pair<Key, int64_t>;

// What a run still needs.
struct Work {
  std::vector<Wanted> ask;
  std::vector<std::pair<Wanted, Generation>> judge;  // answered before
  std::vector<Wanted> conclude;  // conversations that are at their end
  std::vector<Wanted> done;
  std::map<size_t, std::set<int64_t>> confirmed;  // turns, by sample's index
  double spent = 0;      // USD, on all answers that are there
  int64_t unpriced = 0;  // of these
};

Key KeyOf(const Wanted& wanted) {
  return {wanted.problem->id, wanted.problem->Hash(), wanted.sample};
}

// Whether the sample is asked for more than once, now or before.
bool IsConversation(const RunPlan& plan, const Wanted& wanted) {
  return plan.asking.conversation != nullptr &&
         (wanted.turns > 1 || wanted.turns_so_far);
}

// Turns of `wanted` that were judged for good.
Result<std::set<TurnKey>> JudgedIn(const store::Store& store,
                                   const std::string& model,
                                   const std::set<Key>& wanted,
                                   Keeper* keeper) {
  KB_ASSIGN(const auto outcomes, store.Outcomes());
  std::set<TurnKey> judged;
  for (const record::Outcome& outcome : outcomes) {
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

Result<Generation> FirstAnswer(const store::Store& store, const Key& key) {
  store::GenerationFilter filter;
  filter.problem_id = std::get<0>(key);
  filter.sample = std::get<2>(key);
  filter.turn = 1;
  KB_ASSIGN(const auto found, store.Generations(filter));
  for (const Generation& generation : found)
    if (generation.problem_hash == std::get<1>(key)) return generation;
  return base::Fail("the answer for {} is gone from the store",
                    std::get<0>(key));
}

// A turn that was chosen among several as the best is judged again, once.
bool IsToBeConfirmed(const RunPlan& plan, const std::vector<Turn>& turns,
                     const std::set<int64_t>& confirmed) {
  if (!plan.judging || turns.size() < 2) return false;
  const Turn& best = turns[BestOf(turns)];
  return best.verdict == record::Verdict::kCorrect &&
         !confirmed.contains(best.answer.turn);
}

// Adds what is left to do of a conversation that was begun.
Result<void> AddConversation(const RunPlan& plan, const store::Store& store,
                             Wanted wanted, Work* work) {
  KB_ASSIGN(KeptTurns kept,
            ReadKeptTurns(store, plan.asking.model->name, wanted,
                          *plan.asking.conversation->feedback));
  const bool to_confirm = IsToBeConfirmed(plan, kept.turns, kept.confirmed);
  work->confirmed[wanted.index] = std::move(kept.confirmed);
  wanted.turns_so_far =
      std::make_shared<const std::vector<Turn>>(std::move(kept.turns));
  if (kept.unjudged)
    work->judge.emplace_back(std::move(wanted), std::move(*kept.unjudged));
  else if (GoesOn(*wanted.turns_so_far, wanted.turns,
                  *plan.asking.conversation))
    work->ask.push_back(std::move(wanted));
  else
    (to_confirm ? work->conclude : work->done).push_back(std::move(wanted));
  return base::Ok();
}

Result<Work> WorkLeft(const RunPlan& plan, const store::Store& store,
                      Keeper* keeper) {
  const std::string& model = plan.asking.model->name;
  std::set<Key> keys;
  for (const Wanted& wanted : plan.samples) keys.insert(KeyOf(wanted));
  KB_ASSIGN(const std::set<TurnKey> judged,
            JudgedIn(store, model, keys, keeper));
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto generations, store.Generations(light));
  std::map<Key, GenerationStatus> answered;  // the first turn's
  Work work;
  for (const Generation& generation : generations) {
    work.spent += generation.usd.value_or(0);
    work.unpriced += IsUnpriced(generation) ? 1 : 0;
    const Key key{generation.problem_id, generation.problem_hash,
                  generation.sample};
    if (generation.model != model || !keys.contains(key)) continue;
    keeper->OnKnownAnswer(generation);
    if (generation.turn == 1) answered[key] = generation.status;
  }
  for (const Wanted& wanted : plan.samples) {
    const Key key = KeyOf(wanted);
    const auto found = answered.find(key);
    if (found == answered.end()) {
      work.ask.push_back(wanted);
    } else if (IsConversation(plan, wanted)) {
      KB_TRY(AddConversation(plan, store, wanted, &work));
    } else if (plan.judging && found->second == GenerationStatus::kComplete &&
               !judged.contains({key, 1})) {
      KB_ASSIGN(Generation generation, FirstAnswer(store, key));
      work.judge.emplace_back(wanted, std::move(generation));
    } else {
      work.done.push_back(wanted);
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
  task.turn = generation.turn;
  return task;
}

// Asks and judges at the same time until nothing is left or `stop`.
class Running : public eval::Observer {
 public:
  Running(const RunPlan& plan, Work work, Keeper* keeper, std::stop_source stop)
      : plan_(plan),
        asking_(plan.asking),
        work_(std::move(work)),
        keeper_(keeper),
        stop_(std::move(stop)),
        backlog_(
            plan.asking.conversation == nullptr
                ? std::numeric_limits<size_t>::max()
                : 2 * static_cast<size_t>(plan.asking.model->concurrency)) {
    asking_.spent = work_.spent;
    asking_.unpriced = work_.unpriced;
  }

  Result<AskingResult> Run() {
    Distribute();
    std::jthread asker([this] { AskAll(); });
    Result<void> judged = base::Ok();
    if (plan_.judging)
      judged = plan_.judging->judge(&queue_, this, stop_.get_token());
    const bool failed = !judged && !stop_.stop_requested();
    // No answer is paid for that nobody judges.
    if (failed) stop_.request_stop();
    asker.join();
    if (failed) return base::Propagate(judged.error());
    return result_;
  }

  void OnStep(size_t index, const std::string& step) override {
    keeper_->OnStep(index, step);
  }
  void OnNotice(const std::string& text) override { keeper_->OnNotice(text); }
  void OnDone(size_t index, const Evaluation& evaluation) override {
    keeper_->OnDone(index, evaluation);
    std::optional<InJudgement> judged;
    {
      const base::MutexLock lock(&mutex_);
      const auto found = in_judgement_.find(index);
      if (found == in_judgement_.end()) return;
      judged.emplace(std::move(found->second));
      in_judgement_.erase(found);
    }
    const bool ours = evaluation.verdict == record::Verdict::kInfraError;
    if (evaluation.confirms || ours)
      End(judged->wanted);
    else
      Continue(std::move(judged->wanted), std::move(judged->answer),
               &evaluation);
  }

 private:
  struct InJudgement {
    Wanted wanted;
    Generation answer;
  };

  void Distribute() {
    for (const Wanted& wanted : work_.done)
      keeper_->OnSampleEnd(wanted.index, true);
    for (Wanted& wanted : work_.ask) {
      if (!wanted.turns_so_far) {
        backlog_.Add(std::move(wanted));
        continue;
      }
      backlog_.AddElsewhere();
      backlog_.Return(std::move(wanted));
    }
    for (auto& [wanted, generation] : work_.judge) {
      backlog_.AddElsewhere();
      Hand(std::move(wanted), generation, false);
    }
    for (Wanted& wanted : work_.conclude) {
      backlog_.AddElsewhere();
      Conclude(std::move(wanted));
    }
  }

  void AskAll() {
    const std::stop_token stop = stop_.get_token();
    result_ = AskFrom(asking_, &backlog_, callbacks_, stop);
    backlog_.WaitForElsewhere(stop);
    // What a budget leaves at its best so far.
    if (!stop.stop_requested() && !result_.fatal)
      for (Wanted& wanted : backlog_.TakeBegun()) Conclude(std::move(wanted));
    backlog_.WaitForElsewhere(stop);
    queue_.Close();
  }

  // To be judged; what is not a conversation ends with that.
  void Hand(Wanted wanted, const Generation& generation, bool confirms) {
    auto task = TaskOf(plan_, wanted, generation);
    if (!task) {
      keeper_->OnUnanswered(wanted.index, task.error().message());
      End(wanted);
      return;
    }
    task->confirms = confirms;
    const size_t index = wanted.index;
    const bool goes_on = IsConversation(plan_, wanted);
    if (goes_on) {
      const base::MutexLock lock(&mutex_);
      in_judgement_[index] = {wanted, generation};
    }
    queue_.Add(index, std::move(*task));
    if (!goes_on) End(wanted);
  }

  bool OnAnswer(const Wanted& wanted, const Generation& generation) {
    if (!keeper_->OnAnswer(wanted.index, generation)) {
      End(wanted);
      return false;
    }
    if (plan_.judging && generation.status == GenerationStatus::kComplete)
      Hand(wanted, generation, false);
    else if (IsConversation(plan_, wanted))
      Continue(wanted, generation, nullptr);
    else
      End(wanted);
    return true;
  }

  // After an answer that needs no judgement, or has one.
  void Continue(Wanted wanted, Generation answer,
                const Evaluation* evaluation) {
    const ConversationPlan& plan = *plan_.asking.conversation;
    std::vector<Turn> turns;
    if (wanted.turns_so_far) turns = *wanted.turns_so_far;
    turns.push_back(TurnOf(std::move(answer), evaluation, *plan.feedback));
    const bool goes_on = GoesOn(turns, wanted.turns, plan);
    wanted.turns_so_far =
        std::make_shared<const std::vector<Turn>>(std::move(turns));
    if (goes_on)
      backlog_.Return(std::move(wanted));
    else
      Conclude(std::move(wanted));
  }

  // No further turn comes.
  void Conclude(Wanted wanted) {
    const std::vector<Turn>& turns = *wanted.turns_so_far;
    const auto confirmed = work_.confirmed.find(wanted.index);
    if (!IsToBeConfirmed(plan_, turns,
                         confirmed == work_.confirmed.end()
                             ? std::set<int64_t>()
                             : confirmed->second))
      return End(wanted);
    const Generation answer = turns[BestOf(turns)].answer;
    Hand(std::move(wanted), answer, true);
  }

  void End(const Wanted& wanted) {
    plan_.asking.provider->End(wanted.problem->id, wanted.sample);
    keeper_->OnSampleEnd(wanted.index, false);
    backlog_.Done();
  }

  void OnEnd(const Wanted& wanted, bool is_over) {
    if (is_over && wanted.turns_so_far)
      Conclude(wanted);
    else
      End(wanted);
  }

  const RunPlan& plan_;
  AskingPlan asking_;
  Work work_;
  Keeper* keeper_;
  std::stop_source stop_;
  Backlog backlog_;
  eval::TaskQueue queue_;
  base::Mutex mutex_;
  std::map<size_t, InJudgement> in_judgement_ KB_GUARDED_BY(mutex_);
  AskingResult result_;
  AskingCallbacks callbacks_{
      [this](size_t index, const std::string& step) {
        keeper_->OnAsking(index, step);
      },
      [this](const Wanted& wanted, const Generation& generation) {
        return OnAnswer(wanted, generation);
      },
      [this](const Wanted& wanted, const std::string& why) {
        keeper_->OnUnanswered(wanted.index, why);
      },
      [this](const Wanted& wanted, bool is_over) { OnEnd(wanted, is_over); }};
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
