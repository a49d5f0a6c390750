// Evolution on islands, each with an archive that keeps the best program of
// every approach. Islands after FunSearch (Romera-Paredes et al. 2024,
// doi:10.1038/s41586-023-06924-6), with migration around a ring in place of its
// resets; the archive is that of MAP-Elites (Mouret and Clune 2015, arXiv
// 1504.04909), its cells the sets of approaches.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "analysis/turns.h"
#include "base/random.h"
#include "strategies.h"

namespace kb::search {
namespace {

using analysis::TurnRank;
using record::Ask;
using record::AskKind;
using record::Told;

struct Member {
  int64_t turn = 0;
  TurnRank rank;
};

class Archive {
 public:
  bool empty() const { return cells_.empty(); }
  size_t size() const { return cells_.size(); }

  // It stays where it is better than what its approaches had.
  void Add(const std::string& approaches, const Member& member) {
    const auto [at, is_new] = cells_.try_emplace(approaches, member);
    if (!is_new && member.rank > at->second.rank) at->second = member;
  }

  std::pair<std::string, Member> Best() const {
    auto best = cells_.begin();
    for (auto at = cells_.begin(); at != cells_.end(); ++at)
      if (at->second.rank > best->second.rank) best = at;
    return *best;
  }

  // The better of two that are drawn.
  Member Draw(base::Sequence* random) const {
    const Member a = At(random->Below(cells_.size()));
    const Member b = At(random->Below(cells_.size()));
    return b.rank > a.rank ? b : a;
  }

  // Another than that one; there must be two.
  Member DrawOther(int64_t turn, base::Sequence* random) const {
    const uint64_t first = random->Below(cells_.size());
    for (uint64_t i = 0; i < cells_.size(); ++i)
      if (const Member m = At((first + i) % cells_.size()); m.turn != turn)
        return m;
    return At(first);
  }

 private:
  Member At(uint64_t index) const {
    auto at = cells_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(index));
    return at->second;
  }

  std::map<std::string, Member> cells_;  // by approaches
};

class Islands : public Strategy {
 public:
  Islands(int64_t islands, double crossover, int64_t migrate, uint64_t seed)
      : islands_(static_cast<size_t>(islands)),
        crossover_(crossover),
        migrate_(static_cast<size_t>(migrate)),
        random_(seed) {}

  // The islands take turns. One without a program asks for a first one.
  std::optional<Ask> Next(int64_t turn) override {
    const size_t island = asked_++ % islands_.size();
    island_of_[turn] = island;
    Ask ask{turn, AskKind::kFirst, {}, fmt::format("island {}", island + 1)};
    const Archive& archive = islands_[island];
    if (archive.empty()) return ask;
    const Member parent = archive.Draw(&random_);
    ask.kind = AskKind::kMutation;
    ask.parents = {parent.turn};
    if (archive.size() > 1 && Chance() < crossover_) {
      ask.kind = AskKind::kCrossover;
      ask.parents.push_back(archive.DrawOther(parent.turn, &random_).turn);
    }
    return ask;
  }

  void Tell(const Told& told) override {
    const auto found = island_of_.find(told.turn);
    if (told.status == record::GenerationStatus::kComplete) {
      const std::string approaches =
          fmt::format("{}", fmt::join(told.approaches, ", "));
      const Member member{told.turn,
                          analysis::RankOf(told.verdict, told.speedup)};
      if (found != island_of_.end())
        islands_[found->second].Add(approaches, member);
      else
        for (Archive& archive : islands_) archive.Add(approaches, member);
    }
    if (found == island_of_.end()) return;
    if (migrate_ > 0 && ++told_ % (migrate_ * islands_.size()) == 0) Migrate();
  }

 private:
  double Chance() {
    constexpr uint64_t kSteps = 1 << 20;
    return static_cast<double>(random_.Below(kSteps)) / kSteps;
  }

  // The best of each goes to the next island, at the same time.
  void Migrate() {
    const std::vector<Archive> before = islands_;
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i].empty()) continue;
      const auto [approaches, member] = before[i].Best();
      islands_[(i + 1) % before.size()].Add(approaches, member);
    }
  }

  std::vector<Archive> islands_;
  double crossover_;
  size_t migrate_;
  base::Sequence random_;
  size_t asked_ = 0;
  size_t told_ = 0;
  std::map<int64_t, size_t> island_of_;  // by turn
};

}  // namespace

Row IslandsRow() {
  return {
      "islands",
      "evolution: mutations and crossovers of an archive of approaches",
      {{"islands", 2, 1, 1000, "that evolve apart"},
       {"crossover", 0.25, 0, 1, "share of asks that join two programs", true},
       {"migrate", 8, 0, 100000,
        "answers of an island, then its best goes to the next; 0: never"}},
      [](const Values& values, uint64_t seed) -> std::unique_ptr<Strategy> {
        return std::make_unique<Islands>(
            static_cast<int64_t>(values.at("islands")), values.at("crossover"),
            static_cast<int64_t>(values.at("migrate")), seed);
      }};
}

}  // namespace kb::search
