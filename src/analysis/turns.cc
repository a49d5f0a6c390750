#include "analysis/turns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/check.h"

namespace kb::analysis {
namespace {

using record::Verdict;

constexpr int kCorrectStage = 5;

int StageOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kCorrect:
      return kCorrectStage;
    case Verdict::kIncorrect:
      return 4;
    case Verdict::kRuntimeError:
    case Verdict::kTimeout:
    case Verdict::kOutOfMemory:
      return 3;
    case Verdict::kLoadError:
      return 2;
    case Verdict::kCompileError:
      return 1;
    case Verdict::kRejected:
    case Verdict::kNotCertified:
    case Verdict::kInfraError:
      return 0;
  }
  return 0;
}

// Run, model, problem, its hash, sample, size and precision.
using SampleKey = std::tuple<std::string, std::string, std::string, std::string,
                             int64_t, record::Size, record::Precision>;

SampleKey SampleKeyOf(const Entry& entry) {
  const record::Outcome& o = entry.outcome;
  return {entry.run, o.model, o.problem_id, o.problem_hash,
          o.sample,  o.size,  o.precision};
}

bool IsJudged(const Entry& entry) {
  return entry.outcome.verdict &&
         *entry.outcome.verdict != Verdict::kInfraError;
}

// None of the turns, which are in order, is correct, or their answers' times
// are not known.
std::optional<double> SecondsToCorrect(const std::vector<const Entry*>& turns) {
  const auto first = std::ranges::find_if(turns, [](const Entry* entry) {
    return entry->outcome.verdict == Verdict::kCorrect;
  });
  if (first == turns.end() || !(*first)->answers) return std::nullopt;
  double seconds = 0;
  for (const AnswerCost& answer : *(*first)->answers)
    if (answer.turn <= (*first)->outcome.turn) seconds += answer.seconds;
  return seconds;
}

// Of one sample's entries the one that counts.
Entry Folded(const std::vector<const Entry*>& turns, int64_t up_to,
             Figure figure) {
  std::vector<const Entry*> seen;
  std::vector<TurnRank> ranks;
  double judging = 0;
  for (const Entry* entry : turns) {
    if (entry->outcome.confirms || entry->outcome.turn > up_to) continue;
    seen.push_back(entry);
    ranks.push_back(RankOf(entry->outcome.verdict, entry->outcome.speedup));
    judging += entry->outcome.wall_seconds;
  }
  if (seen.empty()) {
    // Answered, and its first turn not judged yet.
    Entry open = *turns.front();
    open.missing = Missing::kNotJudged;
    open.outcome.verdict.reset();
    open.outcome.speedup.reset();
    return open;
  }
  const Entry& best = *seen[BestTurn(ranks)];
  Entry folded = best;
  if (figure == Figure::kConfirmed)
    for (const Entry* entry : turns)
      if (entry->outcome.confirms && IsJudged(*entry) &&
          entry->outcome.turn == best.outcome.turn) {
        folded = *entry;
        folded.confirmed = true;
        folded.chosen_by = best.outcome.speedup;
      }
  folded.judging_seconds = judging;
  AddCosts(up_to, &folded);
  folded.seconds_to_correct = SecondsToCorrect(seen);
  return folded;
}

// The samples that took several turns, with their entries by turn.
std::map<SampleKey, std::vector<const Entry*>> Conversations(
    const std::vector<Entry>& entries) {
  std::map<SampleKey, std::vector<const Entry*>> samples;
  std::set<SampleKey> several;
  for (const Entry& entry : entries) {
    if (entry.missing || entry.outcome.sample < 0) continue;
    samples[SampleKeyOf(entry)].push_back(&entry);
    if (entry.outcome.turn > 1 || entry.outcome.confirms)
      several.insert(SampleKeyOf(entry));
  }
  std::erase_if(samples, [&](const auto& sample) {
    return !several.contains(sample.first);
  });
  for (auto& [key, turns] : samples)
    std::ranges::stable_sort(
        turns, {}, [](const Entry* entry) { return entry->outcome.turn; });
  return samples;
}

}  // namespace

void AddCosts(int64_t up_to, Entry* entry) {
  if (!entry->answers) return;
  std::optional<double> usd = 0;
  double seconds = 0;
  for (const AnswerCost& answer : *entry->answers) {
    if (answer.turn > up_to) continue;
    seconds += answer.seconds;
    if (usd && answer.usd)
      *usd += *answer.usd;
    else
      usd.reset();
  }
  entry->outcome.usd = usd;
  entry->seconds = seconds;
}

TurnRank RankOf(std::optional<Verdict> verdict, std::optional<double> speedup) {
  if (!verdict) return {};
  TurnRank rank{StageOf(*verdict), 0};
  if (rank.stage == kCorrectStage && speedup && std::isfinite(*speedup))
    rank.speedup = *speedup;
  return rank;
}

size_t BestTurn(const std::vector<TurnRank>& ranks) {
  KB_CHECK(!ranks.empty());
  size_t best = 0;
  for (size_t i = 1; i < ranks.size(); ++i)
    if (ranks[i] > ranks[best] ||
        (ranks[i] == ranks[best] && ranks[i].stage < kCorrectStage))
      best = i;
  return best;
}

std::vector<Entry> FoldTurns(const std::vector<Entry>& entries, int64_t up_to,
                             Figure figure) {
  const auto conversations = Conversations(entries);
  std::set<SampleKey> done;
  std::vector<Entry> folded;
  for (const Entry& entry : entries) {
    const auto found = entry.missing ? conversations.end()
                                     : conversations.find(SampleKeyOf(entry));
    if (found == conversations.end()) {
      folded.push_back(entry);
      folded.back().judging_seconds = entry.outcome.wall_seconds;
    } else if (done.insert(found->first).second) {
      folded.push_back(Folded(found->second, up_to, figure));
    }
  }
  return folded;
}

std::vector<int64_t> TurnsToShow(const std::vector<Entry>& entries) {
  constexpr int64_t kAll = 20, kEvery = 10;
  int64_t last = 1;
  for (const Entry& entry : entries)
    if (entry.outcome.sample >= 0) last = std::max(last, entry.outcome.turn);
  std::vector<int64_t> turns;
  for (int64_t turn = 1; last > 1 && turn <= last; ++turn)
    if (turn <= kAll || turn % kEvery == 0 || turn == last)
      turns.push_back(turn);
  return turns;
}

std::vector<TurnRow> ScoreTurns(const std::vector<TurnEntries>& by_turn,
                                ScoreOptions options) {
  constexpr double kMinute = 60;
  options.by = By::kRun;
  options.with_flagged = true;
  std::vector<TurnRow> rows;
  for (const TurnEntries& after : by_turn) {
    std::map<std::string, TurnRow> by_run;
    for (const Row& row : Score(after.entries, options).rows) {
      TurnRow& of_run = by_run[row.run];
      of_run.usd = row.usd;
      for (const stats::Interval& fast : row.fast)
        of_run.fast.push_back(fast.estimate);
    }
    for (const Entry& entry : after.entries) {
      TurnRow& of_run = by_run[entry.run];
      of_run.minutes +=
          (entry.seconds.value_or(0) + entry.judging_seconds) / kMinute;
      if (!entry.answers) continue;
      for (const AnswerCost& answer : *entry.answers)
        of_run.tokens += answer.turn <= after.turn ? answer.tokens : 0;
    }
    for (auto& [run, row] : by_run) {
      row.run = run;
      row.turn = after.turn;
      rows.push_back(std::move(row));
    }
  }
  std::ranges::stable_sort(rows, {}, &TurnRow::run);
  return rows;
}

std::vector<Optimism> OptimismOf(const std::vector<Entry>& folded) {
  std::map<std::string, Optimism> by_run;
  for (const Entry& entry : folded) {
    if (!entry.confirmed) continue;
    Optimism& of_run = by_run[entry.run];
    of_run.run = entry.run;
    ++of_run.samples;
    if (entry.outcome.verdict != Verdict::kCorrect) {
      ++of_run.not_again;
    } else if (entry.chosen_by && entry.outcome.speedup &&
               *entry.chosen_by > 0 && *entry.outcome.speedup > 0) {
      ++of_run.timed;
      of_run.chosen_by += std::log(*entry.chosen_by);
      of_run.confirmed += std::log(*entry.outcome.speedup);
    }
  }
  std::vector<Optimism> list;
  for (auto& [run, of_run] : by_run) {
    for (double* mean : {&of_run.chosen_by, &of_run.confirmed})
      if (of_run.timed > 0)
        *mean = std::exp(*mean / static_cast<double>(of_run.timed));
    list.push_back(of_run);
  }
  return list;
}

}  // namespace kb::analysis
