// What ncu printed: a table of counters, or an Error; and a profile that has
// them can be written and read.

#include "profile/counters.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto counters =
      kb::profile::CountersFromCsv(kb::fuzz::Text(data, size));
  if (!counters) return 0;
  kb::record::Profile profile;
  profile.activity.method = "cupti";
  profile.activity.samples = profile.activity.calls = 1;
  profile.activity.shares[0] = 1;
  kb::record::Activity::Part part;
  part.name = counters->front().kernel;
  part.launch = kb::record::Activity::Launch{{1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0};
  profile.activity.parts = {part};
  profile.occupancies.resize(1);
  kb::profile::AddCounters(*counters, &profile);
  const auto read = kb::record::ProfileFromJson(kb::record::ToJson(profile));
  kb::fuzz::Require(read.has_value(), "what was counted can be kept");
  return 0;
}
