#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linux/jail_init.h"
#include "linux/jail_plan.h"

namespace kb::jail {

// A plan on its way to a fork server. The numbers of its descriptors mean
// nothing there, so they travel beside it.
struct EncodedPlan {
  std::string text;      // JSON
  std::vector<int> fds;  // the plan's own
};
EncodedPlan EncodePlan(const JailPlan& plan, const JailChildEnds& ends);

// What has arrived.
struct DecodedPlan {
  JailPlan plan;
  JailChildEnds ends;
  std::vector<os::Fd> fds;  // those that the two name and do not own
};
base::Result<DecodedPlan> DecodePlan(std::string_view text,
                                     std::vector<os::Fd> fds);

}  // namespace kb::jail
