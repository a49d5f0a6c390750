#pragma once

#include "record/timing.h"

namespace kb::oracle {

// How the launches of both sides are kept out of their times.
struct Hiding {
  record::Launches reference = record::Launches::kHidden;
  record::Launches candidate = record::Launches::kHidden;
  // Nothing of any launch shows.
  bool All() const;
  bool operator==(const Hiding&) const = default;
};
inline constexpr Hiding kNoneHidden{record::Launches::kShown,
                                    record::Launches::kShown};

// Whose calls could not be read: the gate did not take all their launches, or
// they cannot be captured.
struct Blocked {
  bool reference = false;
  bool candidate = false;
  bool reference_waits = false;  // for the device, by itself
  bool baseline = false;         // the candidate is one (record::Turn)
};

// What to try next where somebody's calls could not be read by `now`. What
// decides is what the reference needs, which is trusted:
// - it waits for the device by itself: its launches show whatever is done, so
//   those of a candidate that does not wait are hidden no better;
// - it has more launches than the queue has room for: it is captured, and so is
//   a candidate that can be, because gaps between a graph's kernels are
//   smaller;
// - else a candidate is given the gate as far as it goes. It is not captured,
//   or to block would be a way to get there, and a reference that was captured
//   stays so, or to block would make it longer. A baseline does not cheat: its
//   reference is read as it is.
Hiding AfterBlocking(const Hiding& now, const Blocked& blocked);

}  // namespace kb::oracle
