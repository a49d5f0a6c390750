#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "profile/explain.h"
#include "record/profile.h"

namespace kb::profile {

// Collects figures, and puts the limiter's first.
class Figures {
 public:
  using Figure = record::Profile::Figure;

  void Add(Limiter of, Figure figure) {
    figures_.emplace_back(of, std::move(figure));
  }

  std::vector<Figure> Take(Limiter limiter) {
    std::ranges::stable_partition(
        figures_, [&](const auto& each) { return each.first == limiter; });
    std::vector<Figure> list;
    for (auto& [of, figure] : figures_) list.push_back(std::move(figure));
    return list;
  }

 private:
  std::vector<std::pair<Limiter, Figure>> figures_;
};

inline double Share(const record::Activity& activity, record::Origin origin) {
  return activity.shares.at(static_cast<size_t>(origin));
}

// "75 %"
inline std::string Percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

// "relu in candidate.so"; of any length that a jail can say, cut.
std::string NameOf(const record::Activity::Part& part);

// What one call moves and does, by the time given, in microseconds.
void AddRates(const Grounds& grounds, double micros, Figures* figures);
double MemoryShare(const Grounds& grounds, double micros);   // of the ceiling
double ComputeShare(const Grounds& grounds, double micros);  // of the ceiling

Limiter ExplainOnCpu(const record::Activity& activity, const Grounds& grounds,
                     Figures* figures);
Limiter ExplainOnCuda(const record::Profile& profile, const Grounds& grounds,
                      Figures* figures);

}  // namespace kb::profile
