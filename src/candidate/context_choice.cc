#include "context_choice.h"

#include <algorithm>

namespace kb::candidate {

bool ContextChoice::Keep(double launch_us) {
  constexpr int kExplored = 4;
  constexpr int kMost = 12;
  // Up to the gap between both kinds, from wherever the fastest so far is in
  // its own: 1.62 to 1.73 and 1.82 to 1.88 us on an H100, 1.25 to 1.36 and 1.38
  // to 1.41 on an H200.
  constexpr double kSame = 1.06;
  ++opened_;
  known_us_ = known_us_ > 0 ? std::min(known_us_, launch_us) : launch_us;
  explored_ = explored_ || opened_ >= kExplored;
  if (opened_ >= kMost) return true;
  return explored_ && launch_us <= kSame * known_us_;
}

}  // namespace kb::candidate
