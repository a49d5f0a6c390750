#pragma once

#include "linux/jail_plan.h"
#include "linux/jail_report.h"

namespace kb::jail {

// Where the child's descriptors lie once they are arranged: 0, 1 and 2, then
// the inherited ones from 3 on, then these.
struct JailDescriptors {
  explicit JailDescriptors(size_t inherited)
      : go(3 + static_cast<int>(inherited)),
        status(go + 1),
        seed(go + 2),
        ruleset(go + 3),
        end(go + 4) {}

  int go;  // JailGo once, then open as long as the supervisor lives
  int status;
  int seed;
  int ruleset;
  int end;  // the first number that is not in use
};

// Gives up every right that the plan does not grant, and becomes the foreign
// program. Async-signal-safe. Returns only when the plan is to go on in place,
// with 0, 1, 2 and the inherited descriptors open.
void RunPayload(const JailPlan& plan, const JailGo& go,
                const JailDescriptors& descriptors);

// Closes every descriptor from `first` on. Async-signal-safe.
void CloseFrom(int first);

// No capability, now or later. Async-signal-safe; fails silently without the
// right to do so, since then there are none.
void DropCapabilities();

}  // namespace kb::jail
