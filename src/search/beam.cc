// A beam over ideas: an approach in words first, then programs of it; the ideas
// with the best programs lead to the next ones. After PlanSearch (Wang et al.
// 2024, arXiv 2409.03733), with a beam in place of its tree of observations.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/turns.h"
#include "conversation.h"
#include "strategies.h"

namespace kb::search {
namespace {

using analysis::TurnRank;
using record::Ask;
using record::AskKind;
using record::Told;

struct Idea {
  int64_t turn = 0;
  bool is_told = false;
  bool is_usable = false;
  int64_t asked = 0;  // programs
  int64_t told = 0;
  std::optional<int64_t> best;  // turn of its best program
  TurnRank rank;
};

class Beam : public Strategy {
 public:
  Beam(int64_t ideas, int64_t programs, int64_t keep)
      : ideas_(ideas), programs_(programs), keep_(keep) {}

  std::optional<Ask> Next(int64_t turn) override {
    if (IsLevelDone()) Select();
    if (std::ssize(level_) < ideas_) return NextIdea(turn);
    return NextProgram(turn);
  }

  void Tell(const Told& told) override {
    if (const auto found = of_program_.find(told.turn);
        found != of_program_.end())
      return TellProgram(told, &level_[found->second]);
    for (Idea& idea : level_)
      if (idea.turn == told.turn) {
        idea.is_told = true;
        idea.is_usable = told.status == record::GenerationStatus::kNoCode;
        return;
      }
    from_ = told.turn;
  }

 private:
  bool IsLevelDone() const {
    return std::ssize(level_) == ideas_ &&
           std::ranges::all_of(level_, [&](const Idea& idea) {
             return idea.is_told && (!idea.is_usable || idea.told == programs_);
           });
  }

  // The best of this level and of those before it, the earlier of equals.
  void Select() {
    for (const Idea& idea : level_)
      if (idea.is_usable && idea.best) beam_.push_back(idea);
    std::ranges::stable_sort(
        beam_, [](const Idea& a, const Idea& b) { return a.rank > b.rank; });
    if (std::ssize(beam_) > keep_) beam_.resize(static_cast<size_t>(keep_));
    level_.clear();
    of_program_.clear();
    ++depth_;
  }

  std::optional<Ask> NextIdea(int64_t turn) {
    Ask ask{turn, AskKind::kIdea, {}, fmt::format("level {}", depth_ + 1)};
    if (!beam_.empty()) {
      const Idea& from = beam_[level_.size() % beam_.size()];
      ask.parents = {from.turn, *from.best};
    } else if (from_) {
      ask.parents = {*from_};
    }
    level_.emplace_back().turn = turn;
    return ask;
  }

  // Of the ideas that wait for programs, that with the fewest.
  std::optional<Ask> NextProgram(int64_t turn) {
    std::optional<size_t> chosen;
    for (size_t i = 0; i < level_.size(); ++i)
      if (level_[i].is_usable && level_[i].asked < programs_ &&
          (!chosen || level_[i].asked < level_[*chosen].asked))
        chosen = i;
    if (!chosen) return std::nullopt;
    ++level_[*chosen].asked;
    of_program_[turn] = *chosen;
    return Ask{turn,
               AskKind::kProgram,
               {level_[*chosen].turn},
               fmt::format("level {}", depth_ + 1)};
  }

  static void TellProgram(const Told& told, Idea* idea) {
    ++idea->told;
    const TurnRank rank = analysis::RankOf(told.verdict, told.speedup);
    if (idea->best && rank <= idea->rank) return;
    idea->best = told.turn;
    idea->rank = rank;
  }

  const int64_t ideas_;
  const int64_t programs_;
  const int64_t keep_;
  int64_t depth_ = 0;
  std::vector<Idea> beam_;
  std::vector<Idea> level_;
  std::map<int64_t, size_t> of_program_;  // idea of this level, by turn
  std::optional<int64_t> from_;
};

}  // namespace

Row BeamRow() {
  return {"beam",
          "ideas in words, programs of each, new ideas from the best",
          {{"ideas", 4, 1, 1000, "of a level"},
           {"programs", 2, 1, 1000, "of an idea"},
           {"keep", 2, 1, 1000, "ideas that lead to the next level"}},
          [](const Values& values, uint64_t) -> std::unique_ptr<Strategy> {
            return std::make_unique<Beam>(
                static_cast<int64_t>(values.at("ideas")),
                static_cast<int64_t>(values.at("programs")),
                static_cast<int64_t>(values.at("keep")));
          }};
}

}  // namespace kb::search
