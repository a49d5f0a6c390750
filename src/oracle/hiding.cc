#include "hiding.h"

namespace kb::oracle {
namespace {

using record::Launches;

bool Hides(Launches launches) {
  return launches == Launches::kHidden || launches == Launches::kCaptured;
}

}  // namespace

bool Hiding::All() const { return Hides(reference) && Hides(candidate); }

Hiding AfterBlocking(const Hiding& now, bool reference_blocked,
                     bool candidate_blocked, bool reference_waits) {
  constexpr auto kPartly = Launches::kPartlyHidden;
  if (!reference_blocked)
    return {now.reference,
            now.candidate == Launches::kCaptured ? Launches::kHidden : kPartly};
  if (reference_waits && !candidate_blocked)
    return {Launches::kShown, Launches::kShown};
  if (reference_waits || now.reference == Launches::kCaptured)
    return {kPartly, kPartly};
  return {Launches::kCaptured, Launches::kCaptured};
}

}  // namespace kb::oracle
