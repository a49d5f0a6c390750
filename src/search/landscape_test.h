#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "search/episode.h"

namespace kb::search {

// A world in which a program is a point and its speedup has a closed form. The
// model that answers in it is a function of what it is asked alone, as a replay
// is.
struct Point {
  int64_t x = 0;
  int64_t y = 0;
  bool operator==(const Point&) const = default;
};

struct World {
  std::function<double(const Point&)> speedup;
  // `parents`: their points, of ideas as well.
  std::function<Point(const record::Ask&, const std::vector<Point>& parents)>
      model;
};

// Plays a search in a world.
class Play {
 public:
  Play(World world, Choice choice, Limits limits, bool given = false);

  // Tells of open asks, the `pick(n)`-th of n first, until the search is over
  // or so many were told.
  void Run(const std::function<size_t(size_t)>& pick, int64_t most = 1 << 20);
  // In order.
  void Run();

  // The same search as another process finds it, whose log ends after so many
  // lines.
  Play Resumed(size_t lines) const;

  const std::vector<record::Decision>& log() const { return log_; }
  // "ask 3 mutation of 1 2 (island 1): 4 0" and "told 3 1.25".
  std::vector<std::string> Lines() const;
  double best() const { return best_; }
  int64_t best_turn() const { return best_turn_; }
  Episode& episode() { return episode_; }
  // An answer that is refused instead.
  void Refuse(int64_t turn) { refused_ = turn; }

 private:
  void TakeAsks();
  Point PointOf(const record::Ask& ask);
  record::Told ToldOf(const record::Ask& ask);
  void TakeLog();

  World world_;
  Choice choice_;
  Limits limits_;
  bool given_;
  Episode episode_;
  std::vector<record::Ask> open_;
  std::map<int64_t, Point> points_;
  std::vector<record::Decision> log_;
  double best_ = 0;
  int64_t best_turn_ = 0;
  int64_t refused_ = 0;
};

// Number `n` of a series that looks random, below `bound`.
int64_t Drawn(int64_t n, int64_t bound);

}  // namespace kb::search
