#include "hiding.h"

namespace kb::oracle {
namespace {

using record::Launches;

}  // namespace

bool Hiding::All() const {
  return AreHidden(reference) && AreHidden(candidate);
}

Hiding AfterBlocking(const Hiding& now, const Blocked& blocked) {
  constexpr Hiding kBothPartly{Launches::kPartlyHidden,
                               Launches::kPartlyHidden};
  const bool reference_captured = now.reference == Launches::kCaptured;
  if (!blocked.reference) {
    if (now.candidate == Launches::kCaptured)
      return {now.reference, Launches::kHidden};
    if (reference_captured && blocked.baseline) return kBothPartly;
    return {now.reference, Launches::kPartlyHidden};
  }
  if (blocked.reference_waits && !blocked.candidate)
    return {Launches::kShown, Launches::kShown};
  if (blocked.reference_waits || reference_captured) return kBothPartly;
  return {Launches::kCaptured, Launches::kCaptured};
}

}  // namespace kb::oracle
