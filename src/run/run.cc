#include "run/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <tuple>
#include <utility>

#include "backlog.h"
#include "eval/every_size.h"
#include "keeper.h"
#include "sample_search.h"
#include "search/halving.h"
#include "source_check/classify.h"
#include "work_left.h"

namespace kb::run {
namespace {

using base::Result;
using record::Evaluation;
using record::Generation;
using record::GenerationStatus;

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
  if (wanted.further) {
    task.further = wanted.further->problems;
    task.several = wanted.further->several;
  }
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
    asking_.began = std::chrono::steady_clock::now();
    asking_.device_seconds = [this] { return device_seconds_.load(); };
  }

  Result<AskingResult> Run() {
    Distribute();
    std::jthread asker([this] { AskAll(); });
    Result<void> judged = base::Ok();
    if (plan_.judging)
      judged = plan_.judging->judge(sizes_.queue(), &sizes_, stop_.get_token());
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
    device_seconds_ += evaluation.wall_seconds - evaluation.compile_seconds;
    keeper_->OnDone(index, evaluation);
    std::optional<Generation> answer;
    {
      const base::MutexLock lock(&mutex_);
      const auto found = in_judgement_.find({index, evaluation.turn});
      if (found == in_judgement_.end()) return;
      answer.emplace(std::move(found->second));
      in_judgement_.erase(found);
      SampleSearch* search = SearchOf(index);
      const bool ours = evaluation.verdict == record::Verdict::kInfraError;
      if (evaluation.confirms)
        End(search);
      else if (ours)
        Leave(search, true);
      else
        Settle(search, std::move(*answer), &evaluation);
    }
    backlog_.Done();
  }

 private:
  void Distribute() {
    for (const Wanted& wanted : work_.done)
      keeper_->OnSampleEnd(wanted.index, true);
    for (Wanted& wanted : work_.ask) backlog_.Add(std::move(wanted));
    for (const auto& [wanted, generation] : work_.judge) {
      backlog_.AddElsewhere();
      Hand(wanted, generation, false);
      EndAnswer(wanted);
    }
    const base::MutexLock lock(&mutex_);
    for (SampleSearch& search : work_.searches)
      searches_[search.sample().index] = &search;
    LimitSearches();
    for (SampleSearch& search : work_.searches) Begin(&search);
  }

  // What each may ask for in this round.
  void LimitSearches() KB_REQUIRES(mutex_) {
    if (!plan_.halving || work_.searches.empty()) return;
    search::HalvingPlan halving{work_.searches.size(), 0, *plan_.halving};
    std::vector<std::vector<double>> values;
    for (const SampleSearch& search : work_.searches) {
      halving.answers += search.sample().turns;
      values.push_back(search.Values());
    }
    if (const auto& most = plan_.asking.budget.answers)
      halving.answers = std::max(std::min(halving.answers, *most),
                                 static_cast<int64_t>(work_.searches.size()));
    const auto limits = search::LimitsInRound(halving, round_, values);
    for (size_t i = 0; i < limits.size(); ++i)
      work_.searches[i].episode().Limit(limits[i]);
    is_last_round_ = round_ + 1 >= search::RoundsOf(halving);
  }

  // Whether another round was begun.
  bool BeginRound() {
    const base::MutexLock lock(&mutex_);
    if (is_last_round_) return false;
    ++round_;
    LimitSearches();
    for (SampleSearch& search : work_.searches)
      if (!search.is_over && !search.is_stuck) Put(&search);
    return true;
  }

  // What a sample's search has to do at first.
  void Begin(SampleSearch* search) KB_REQUIRES(mutex_) {
    for (const Generation& answer : search->TakeUnjudged()) {
      ++search->at_work;
      backlog_.AddElsewhere();
      HandOf(search, answer, false);
    }
    Put(search);
    if (search->at_work > 0 || !is_last_round_) return;
    if (search->ToBeConfirmed() != nullptr) {
      Conclude(search);
      return;
    }
    search->is_over = true;
    keeper_->OnSampleEnd(search->sample().index, true);
  }

  void AskAll() {
    const std::stop_token stop = stop_.get_token();
    do {
      const AskingResult asked = AskFrom(asking_, &backlog_, callbacks_, stop);
      Add(asked);
      backlog_.WaitForElsewhere(stop);
    } while (!stop.stop_requested() && !result_.fatal &&
             !result_.budget_reached && !result_.unpriced_ended_it &&
             BeginRound());
    // What a budget leaves at its best so far.
    if (!stop.stop_requested() && !result_.fatal) {
      backlog_.Drop();
      const base::MutexLock lock(&mutex_);
      for (auto& [index, search] : searches_)
        if (search->HasTurns() && !search->is_over && !search->is_stuck)
          Conclude(search);
    }
    backlog_.WaitForElsewhere(stop);
    sizes_.Close();
  }

  // To what the rounds before did.
  void Add(const AskingResult& asked) {
    const AskingResult before = std::exchange(result_, asked);
    result_.answered += before.answered;
    result_.open += before.open;
    result_.exhausted += before.exhausted;
    asking_.spent = asked.spent;
  }

  SampleSearch* SearchOf(size_t index) KB_REQUIRES(mutex_) {
    const auto found = searches_.find(index);
    return found == searches_.end() ? nullptr : found->second;
  }

  // To be judged; false: it is no candidate.
  bool Hand(const Wanted& wanted, const Generation& generation, bool confirms) {
    auto task = TaskOf(plan_, wanted, generation);
    if (!task) {
      keeper_->OnUnanswered(wanted.index, task.error().message());
      return false;
    }
    task->confirms = confirms;
    sizes_.Add(wanted.index, std::move(*task));
    return true;
  }

  // The same for a search, which goes on with the verdict.
  void HandOf(SampleSearch* search, const Generation& answer, bool confirms)
      KB_REQUIRES(mutex_) {
    const Wanted& sample = search->sample();
    in_judgement_[{sample.index, answer.turn}] = answer;
    if (Hand(sample, answer, confirms)) return;
    in_judgement_.erase({sample.index, answer.turn});
    Leave(search, true);
    backlog_.Done();
  }

  bool OnAnswer(const Wanted& wanted, const Generation& generation) {
    const bool kept = keeper_->OnAnswer(wanted.index, generation);
    const bool judges =
        plan_.judging && generation.status == GenerationStatus::kComplete;
    if (!wanted.ask) {
      if (kept && judges) Hand(wanted, generation, false);
      EndAnswer(wanted);
      return kept;
    }
    {
      const base::MutexLock lock(&mutex_);
      SampleSearch* search = SearchOf(wanted.index);
      if (kept && judges) {
        HandOf(search, generation, false);
        return true;
      }
      if (kept)
        Settle(search, generation, nullptr);
      else
        Leave(search, true);
    }
    backlog_.Done();
    return kept;
  }

  // After an answer that needs no judgement, or has one.
  void Settle(SampleSearch* search, Generation answer,
              const Evaluation* evaluation) KB_REQUIRES(mutex_) {
    search->Tell(TurnOf(std::move(answer), evaluation,
                        *plan_.asking.conversation->feedback));
    Put(search);
    Leave(search, false);
  }

  // What the search asks for now. It is kept before anybody is asked.
  void Put(SampleSearch* search) KB_REQUIRES(mutex_) {
    std::vector<Wanted> asks = search->TakeAsks();
    if (!keeper_->OnDecisions(search->TakeLog())) return;
    search->at_work += asks.size();
    for (Wanted& wanted : asks) backlog_.Add(std::move(wanted));
  }

  // One that was at work is not any more.
  void Leave(SampleSearch* search, bool is_stuck) KB_REQUIRES(mutex_) {
    search->is_stuck = search->is_stuck || is_stuck;
    if (--search->at_work > 0) return;
    if (search->is_stuck || !search->HasTurns())
      End(search);
    else if (is_last_round_ || search->episode().is_closed())
      Conclude(search);
  }

  // No further turn comes.
  void Conclude(SampleSearch* search) KB_REQUIRES(mutex_) {
    const Generation* best = search->ToBeConfirmed();
    search->is_over = true;
    if (best == nullptr) return End(search);
    search->at_work = 1;
    backlog_.AddElsewhere();
    HandOf(search, Generation(*best), true);
  }

  void End(SampleSearch* search) KB_REQUIRES(mutex_) {
    search->is_over = true;
    if (std::exchange(search->is_ended, true)) return;
    const Wanted& sample = search->sample();
    plan_.asking.provider->End(sample.problem->id, sample.sample);
    keeper_->OnSampleEnd(sample.index, false);
  }

  // Of a sample that is one answer.
  void EndAnswer(const Wanted& wanted) {
    plan_.asking.provider->End(wanted.problem->id, wanted.sample);
    keeper_->OnSampleEnd(wanted.index, false);
    backlog_.Done();
  }

  void OnEnd(const Wanted& wanted, bool is_over) {
    if (!wanted.ask) return EndAnswer(wanted);
    {
      const base::MutexLock lock(&mutex_);
      SampleSearch* search = SearchOf(wanted.index);
      if (is_over) search->episode().Close();
      Leave(search, !is_over);
    }
    backlog_.Done();
  }

  const RunPlan& plan_;
  AskingPlan asking_;
  Work work_;
  Keeper* keeper_;
  std::stop_source stop_;
  Backlog backlog_;
  eval::EverySize sizes_{this};
  base::Mutex mutex_;
  // By the samples' indexes. What they point to is guarded as well.
  std::map<size_t, SampleSearch*> searches_ KB_GUARDED_BY(mutex_);
  // By a sample's index and a turn.
  std::map<std::pair<size_t, int64_t>, Generation> in_judgement_
      KB_GUARDED_BY(mutex_);
  int64_t round_ KB_GUARDED_BY(mutex_) = 0;  // of halving
  bool is_last_round_ KB_GUARDED_BY(mutex_) = true;
  std::atomic<double> device_seconds_ = 0;  // of this call
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
    return base::Propagate(
        kept.error().kind() == base::Error::Kind::kUsage
            ? kept.error().Wrap("this run was begun differently; go on as it "
                                "was, or name another --store")
            : kept.error());
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
