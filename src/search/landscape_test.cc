#include "landscape_test.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/random.h"

namespace kb::search {

using record::Ask;
using record::AskKind;
using record::Told;

namespace {

std::unique_ptr<Strategy> Made(const Choice& choice) {
  auto made = MakeStrategy(choice, 0);
  EXPECT_TRUE(made) << made.error().message();
  return std::move(*made);
}

}  // namespace

int64_t Drawn(int64_t n, int64_t bound) {
  return static_cast<int64_t>(base::Mix(static_cast<uint64_t>(n)) %
                              static_cast<uint64_t>(bound));
}

Play::Play(World world, Choice choice, Limits limits, bool given)
    : world_(std::move(world)),
      choice_(std::move(choice)),
      limits_(limits),
      given_(given),
      episode_(Made(choice_), limits, given) {
  TakeAsks();
}

void Play::TakeAsks() {
  for (const Ask& ask : episode_.TakeAsks()) open_.push_back(ask);
  TakeLog();
}

void Play::TakeLog() {
  for (record::Decision& line : episode_.TakeLog())
    log_.push_back(std::move(line));
}

Point Play::PointOf(const Ask& ask) {
  if (const auto known = points_.find(ask.turn); known != points_.end())
    return known->second;
  std::vector<Point> parents;
  for (const int64_t parent : ask.parents)
    parents.push_back(PointOf(episode_.AskOf(parent)));
  return points_[ask.turn] = world_.model(ask, parents);
}

Told Play::ToldOf(const Ask& ask) {
  Told told;
  told.turn = ask.turn;
  told.seconds = 1;
  told.status = record::GenerationStatus::kNoCode;
  const Point point = PointOf(ask);
  if (ask.turn == refused_) told.status = record::GenerationStatus::kRefused;
  if (ask.kind == AskKind::kIdea || ask.turn == refused_) return told;
  told.status = record::GenerationStatus::kComplete;
  told.verdict = record::Verdict::kCorrect;
  told.speedup = world_.speedup(point);
  if (point.x > 0) told.approaches.emplace_back("x");
  if (point.y > 0) told.approaches.emplace_back("y");
  if (*told.speedup > best_) {
    best_ = *told.speedup;
    best_turn_ = ask.turn;
  }
  return told;
}

void Play::Run(const std::function<size_t(size_t)>& pick, int64_t most) {
  for (int64_t i = 0; i < most && !open_.empty(); ++i) {
    const size_t at = pick(open_.size());
    const Ask ask = open_.at(at);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
    episode_.Tell(ToldOf(ask));
    TakeAsks();
  }
}

void Play::Run() {
  Run([](size_t) { return size_t{0}; });
}

Play Play::Resumed(size_t lines) const {
  Play play(world_, choice_, limits_, given_);
  play.episode_ = Episode(Made(choice_), limits_, given_);
  play.log_.assign(log_.begin(),
                   log_.begin() + static_cast<std::ptrdiff_t>(lines));
  const auto resumed = play.episode_.Resume(play.log_);
  EXPECT_TRUE(resumed) << resumed.error().message();
  play.refused_ = refused_;
  play.open_ = play.episode_.Open();
  play.TakeAsks();
  return play;
}

std::vector<std::string> Play::Lines() const {
  std::vector<std::string> lines;
  for (const record::Decision& line : log_) {
    if (line.told) {
      lines.push_back(
          fmt::format("  told {}: {}", line.told->turn,
                      line.told->speedup
                          ? fmt::format("{:.3f}x", *line.told->speedup)
                          : record::GenerationStatusName(line.told->status)));
      continue;
    }
    std::string text = fmt::format("ask {} {}", line.ask->turn,
                                   record::AskKindName(line.ask->kind));
    for (const int64_t parent : line.ask->parents)
      text += fmt::format(" {}", parent);
    if (!line.ask->place.empty()) text += fmt::format(" ({})", line.ask->place);
    lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace kb::search
