#include "context_choice.h"

#include <algorithm>

namespace kb::candidate {

bool ContextChoice::Keep(double launch_us) {
  constexpr int kExplored = 4;
  constexpr int kMost = 12;
  // Half of the contexts of an H200: 1.25 to 1.31 of 1.25 to 1.41 us.
  constexpr double kSame = 1.045;
  ++opened_;
  known_us_ = known_us_ > 0 ? std::min(known_us_, launch_us) : launch_us;
  explored_ = explored_ || opened_ >= kExplored;
  if (opened_ >= kMost) return true;
  return explored_ && launch_us <= kSame * known_us_;
}

}  // namespace kb::candidate
