#include "sample_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "kept_turns.h"
#include "search/approach.h"
#include "search/halving.h"
#include "search/strategy.h"

namespace kb::run {
namespace {

using base::Result;
using record::Ask;
using record::AskKind;
using record::Decision;
using record::Generation;
using search::Episode;

// The asks of another run's search of this sample: of the problem as it is
// here, else as it was there, for example at another size.
Result<std::vector<Ask>> ReplayedOf(const ConversationPlan& plan,
                                    const Wanted& sample) {
  const std::string& problem = sample.problem->id;
  // By model and the problem's hash.
  std::map<std::pair<std::string, std::string>, std::vector<Ask>> searches;
  for (const Decision& line : plan.replayed)
    if (line.ask && line.problem_id == problem && line.sample == sample.sample)
      searches[{line.model, line.problem_hash}].push_back(*line.ask);
  const auto is_here = [hash = sample.Hash()](const auto& search) {
    return search.first.second == hash;
  };
  if (std::ranges::any_of(searches, is_here))
    std::erase_if(searches, std::not_fn(is_here));
  if (searches.empty()) return std::vector<Ask>();
  if (searches.size() > 1)
    return base::Usage(
        "--search replay: that run has {} searches of sample {} of {}, among "
        "them one of {} and one of {}; name a run of one model and size, such "
        "as one of those that were merged",
        searches.size(), sample.sample, problem, searches.begin()->first.first,
        searches.rbegin()->first.first);
  const std::vector<Ask>& asks = searches.begin()->second;
  for (size_t i = 0; i < asks.size(); ++i)
    if (asks[i].turn != static_cast<int64_t>(i) + 1)
      return base::Usage(
          "--search replay: the log of sample {} of {} has turn {} where turn "
          "{} should be; name another run",
          sample.sample, problem, asks[i].turn, i + 1);
  return asks;
}

Result<std::unique_ptr<search::Strategy>> StrategyOf(
    const ConversationPlan& plan, const Wanted& sample) {
  if (!plan.replayed.empty()) {
    KB_ASSIGN(std::vector<Ask> asks, ReplayedOf(plan, sample));
    return search::MakeReplay(std::move(asks));
  }
  search::Choice choice;
  choice.name = "refinement";
  return search::MakeStrategy(plan.search.value_or(choice),
                              static_cast<uint64_t>(sample.sample));
}

const Generation* GivenFor(const ConversationPlan& plan, const Wanted& sample) {
  const auto found = plan.given.find(sample.problem->id);
  return found == plan.given.end() ? nullptr : &found->second;
}

// What a store of before there were logs would have: a conversation. Its last
// ask is open if it has an answer that is not judged, or not by today's ruler.
std::vector<Decision> OldLog(const KeptTurns& kept) {
  std::vector<Decision> log =
      ConversationLog(kept.turns, static_cast<int64_t>(kept.turns.size()) + 1);
  if (!kept.unjudged.contains(log.back().ask->turn)) log.pop_back();
  if (!log.empty() && log.back().told &&
      kept.outdated.contains(log.back().told->turn))
    log.pop_back();
  return log;
}

search::Limits LimitsOf(const ConversationPlan& plan, const Wanted& sample) {
  return {sample.turns, plan.search ? plan.search->parallel : 1,
          sample.seconds};
}

// --- What a question shows ---

prompt::Known KnownOf(const Ask& ask, const Turn& turn) {
  prompt::Known known;
  if (ask.kind == AskKind::kIdea)
    known.idea = base::Trim(turn.answer.answer);
  else
    known.source = turn.answer.source;
  known.line = turn.line;
  known.result = turn.feedback;
  return known;
}

// The answers of a conversation up to that one.
std::vector<Turn> ConversationOf(int64_t last, const Episode& episode,
                                 const std::map<int64_t, Turn>& turns) {
  std::vector<Turn> conversation;
  for (int64_t turn = last;;) {
    conversation.push_back(turns.at(turn));
    const Ask& ask = episode.AskOf(turn);
    if (ask.kind != AskKind::kRefine) break;
    turn = ask.parents.at(0);
  }
  std::ranges::reverse(conversation);
  return conversation;
}

// A line for each idea that was told, but for `without`, with its best program.
std::vector<std::string> IdeaLines(std::optional<int64_t> without,
                                   const Episode& episode,
                                   const std::map<int64_t, Turn>& turns) {
  constexpr size_t kMostBytes = 240;
  std::vector<std::string> lines;
  for (const record::Told& told : episode.told()) {
    if (episode.AskOf(told.turn).kind != AskKind::kIdea || told.turn == without)
      continue;
    std::vector<Turn> programs;
    for (const record::Told& other : episode.told()) {
      const Ask& ask = episode.AskOf(other.turn);
      if (ask.kind == AskKind::kProgram && ask.parents.at(0) == told.turn)
        programs.push_back(turns.at(other.turn));
    }
    const std::string idea = base::ShortenLine(
        base::OneLine(base::Trim(turns.at(told.turn).answer.answer)),
        kMostBytes);
    lines.push_back(fmt::format(
        "- {}{}", idea,
        programs.empty()
            ? ""
            : fmt::format(" ({})", programs[BestOf(programs)].line)));
  }
  return lines;
}

std::string TextFor(const Ask& ask, const Episode& episode,
                    const std::map<int64_t, Turn>& turns,
                    const prompt::SearchWriter& texts) {
  std::vector<prompt::Known> parents;
  for (const int64_t parent : ask.parents)
    parents.push_back(KnownOf(episode.AskOf(parent), turns.at(parent)));
  switch (ask.kind) {
    case AskKind::kIdea: {
      // An idea and its best program, or one of the two.
      prompt::Known both;
      for (prompt::Known& known : parents) {
        if (!known.idea.empty())
          both.idea = std::move(known.idea);
        else
          both = {std::move(both.idea), std::move(known.source),
                  std::move(known.line), std::move(known.result)};
      }
      std::optional<int64_t> without;
      if (!ask.parents.empty()) without = ask.parents.front();
      return texts.Idea(both, IdeaLines(without, episode, turns));
    }
    case AskKind::kProgram:
      return texts.Program(parents.at(0));
    case AskKind::kMutation:
      return texts.Mutation(parents.at(0));
    case AskKind::kCrossover:
      return texts.Crossover(parents.at(0), parents.at(1));
    case AskKind::kGiven:
    case AskKind::kFirst:
    case AskKind::kRefine:
      return "";
  }
  return "";
}

void AddProgram(const Generation& answer,
                std::vector<record::ShownProgram>* programs) {
  if (answer.source.empty()) return;
  programs->push_back({base::Sha256(answer.source), "", answer.problem_id,
                       answer.sample, answer.turn});
}

}  // namespace

record::Told ToldOf(const Turn& turn) {
  record::Told told;
  told.turn = turn.answer.turn;
  told.status = turn.answer.status;
  told.verdict = turn.verdict;
  told.speedup = turn.speedup;
  told.approaches = search::ApproachesOf(turn.answer.source);
  told.seconds = turn.seconds;
  return told;
}

Shown ShownFor(const Ask& ask, const Episode& episode,
               const std::map<int64_t, Turn>& turns,
               const prompt::SearchWriter* texts) {
  Shown shown;
  if (ask.kind == AskKind::kRefine) {
    shown.conversation = ConversationOf(ask.parents.at(0), episode, turns);
    for (const Turn& turn : shown.conversation)
      AddProgram(turn.answer, &shown.programs);
  } else if (texts != nullptr) {
    shown.text = TextFor(ask, episode, turns, *texts);
    shown.of_turns = ask.parents;
    for (const int64_t parent : ask.parents)
      AddProgram(turns.at(parent).answer, &shown.programs);
  }
  return shown;
}

Result<std::unique_ptr<Episode>> EpisodeUpTo(const std::vector<Decision>& log,
                                             int64_t turn) {
  std::vector<Ask> asks;
  std::vector<Decision> until;
  for (const Decision& line : log) {
    until.push_back(line);
    if (line.ask) asks.push_back(*line.ask);
    if (line.ask && line.ask->turn == turn) break;
  }
  if (asks.empty() || asks.back().turn != turn)
    return base::Usage("the search has not asked for turn {}", turn);
  auto episode = std::make_unique<Episode>(
      search::MakeReplay(asks), search::Limits{turn, turn, 0}, false);
  KB_TRY(episode->Resume(until));
  return episode;
}

SampleSearch::SampleSearch(const RunPlan& plan, Wanted sample)
    : plan_(&plan), sample_(std::move(sample)) {}

Result<SampleSearch> SampleSearch::Create(const RunPlan& plan,
                                          const Wanted& sample,
                                          const store::Store& store,
                                          const std::vector<Decision>& log) {
  const ConversationPlan& conversation = *plan.asking.conversation;
  SampleSearch made(plan, sample);
  KB_ASSIGN(auto strategy, StrategyOf(conversation, sample));
  const Generation* given = GivenFor(conversation, sample);
  made.episode_ = std::make_unique<Episode>(
      std::move(strategy), LimitsOf(conversation, sample), given != nullptr);
  KB_ASSIGN(KeptTurns kept, ReadKeptTurns(store, plan.asking.model->name,
                                          sample, *conversation.feedback));
  if (!plan.judging) kept.outdated.clear();  // nobody judges them again
  if (log.empty()) made.old_log_ = OldLog(kept);
  made.turns_ = std::move(kept.turns);
  made.again_ = std::move(kept.outdated);
  made.confirmed_ = std::move(kept.confirmed);
  KB_TRY(made.episode_->Resume(log.empty() ? made.old_log_ : log));
  for (const int64_t turn : made.again_)
    made.unjudged_.push_back(made.turns_.at(turn).answer);
  for (const Ask& ask : made.episode_->Open()) {
    if (made.again_.contains(ask.turn)) continue;
    if (made.turns_.contains(ask.turn))
      made.episode_->Tell(ToldOf(made.turns_.at(ask.turn)));
    else if (const auto found = kept.unjudged.find(ask.turn);
             found != kept.unjudged.end())
      made.unjudged_.push_back(std::move(found->second));
    else
      made.resumed_.push_back(ask);
  }
  return made;
}

std::vector<Decision> ConversationLog(const std::map<int64_t, Turn>& turns,
                                      int64_t turn) {
  std::vector<Decision> log;
  for (int64_t i = 1; i <= turn; ++i) {
    Decision asked;
    asked.ask = Ask{i, AskKind::kFirst, {}, ""};
    if (i > 1) asked.ask = Ask{i, AskKind::kRefine, {i - 1}, ""};
    log.push_back(std::move(asked));
    const auto kept = turns.find(i);
    if (i == turn || kept == turns.end()) break;
    Decision told;
    told.told = ToldOf(kept->second);
    log.push_back(std::move(told));
  }
  return log;
}

std::vector<Generation> SampleSearch::TakeUnjudged() {
  return std::exchange(unjudged_, {});
}

std::vector<Wanted> SampleSearch::TakeAsks() {
  if (!again_.empty()) return {};
  std::vector<Wanted> wanted;
  for (const Ask& ask : std::exchange(resumed_, {}))
    wanted.push_back(WantedFor(ask));
  for (const Ask& ask : episode_->TakeAsks()) wanted.push_back(WantedFor(ask));
  return wanted;
}

Wanted SampleSearch::WantedFor(const Ask& ask) {
  const ConversationPlan& conversation = *plan_->asking.conversation;
  Wanted wanted = sample_;
  wanted.ask = ask;
  wanted.begun = !turns_.empty();
  wanted.shown = std::make_shared<const Shown>(
      ShownFor(ask, *episode_, turns_, conversation.texts));
  const Generation* given = GivenFor(conversation, sample_);
  if (ask.kind == AskKind::kGiven && given != nullptr)
    wanted.given = std::make_shared<const Generation>(*given);
  return wanted;
}

std::vector<Decision> SampleSearch::TakeLog() {
  std::vector<Decision> log = std::exchange(old_log_, {});
  std::ranges::move(episode_->TakeLog(), std::back_inserter(log));
  for (Decision& line : log) {
    line.model = plan_->asking.model->name;
    line.problem_id = sample_.problem->id;
    line.problem_hash = sample_.Hash();
    line.sample = sample_.sample;
  }
  return log;
}

void SampleSearch::Tell(Turn turn) {
  const record::Told told = ToldOf(turn);
  again_.erase(told.turn);
  turns_[told.turn] = std::move(turn);
  // What is judged again the search was told of, and its log stays as it is.
  const std::vector<Ask> open = episode_->Open();
  if (std::ranges::find(open, told.turn, &Ask::turn) != open.end())
    episode_->Tell(told);
}

std::vector<Turn> SampleSearch::InOrder() const {
  std::vector<Turn> turns;
  for (const auto& [number, turn] : turns_) turns.push_back(turn);
  return turns;
}

const Generation* SampleSearch::ToBeConfirmed() const {
  if (!plan_->judging || turns_.size() < 2) return nullptr;
  const size_t best = BestOf(InOrder());
  const Turn& turn =
      std::next(turns_.begin(), static_cast<ptrdiff_t>(best))->second;
  if (turn.verdict != record::Verdict::kCorrect ||
      confirmed_.contains(turn.answer.turn))
    return nullptr;
  return &turn.answer;
}

std::vector<double> SampleSearch::Values() const {
  std::vector<double> values;
  for (const record::Told& told : episode_->told())
    values.push_back(search::ValueOf(told.verdict, told.speedup));
  return values;
}

}  // namespace kb::run
