// What the oracle, the fork server and stored results say, as JSON: either an
// Error, or a value that survives being written and read.

#include <utility>

#include "base/json.h"
#include "input.h"
#include "record/audit.h"
#include "record/device_facts.h"
#include "record/evaluation.h"
#include "record/policy.h"
#include "record/problem.h"
#include "record/profile.h"
#include "record/timing.h"
#include "wire/setup.h"

namespace {

using kb::base::DumpJson;
using kb::base::Json;

template <typename Read>
void RoundTrip(const Json& json, Read&& read) {
  const auto value = read(json);
  if (!value) return;
  const Json written = kb::record::ToJson(*value);
  const auto again = read(written);
  kb::fuzz::Require(again.has_value(), "what was written can be read");
  kb::fuzz::Require(DumpJson(kb::record::ToJson(*again)) == DumpJson(written),
                    "what was read is written the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace record = kb::record;
  const auto json = kb::base::ParseJson(kb::fuzz::Text(data, size), "input");
  if (!json) return 0;
  RoundTrip(*json, record::PolicyFromJson);
  RoundTrip(*json, record::JudgementFromJson);
  RoundTrip(*json, record::MismatchFromJson);
  RoundTrip(*json, record::RulerFromJson);
  RoundTrip(*json, record::TrialFromJson);
  RoundTrip(*json, record::CeilingsFromJson);
  RoundTrip(*json, record::DeviceFactsFromJson);
  RoundTrip(*json, record::ProblemFactsFromJson);
  RoundTrip(*json, record::AuditFromJson);
  RoundTrip(*json, record::ActivityFromJson);
  RoundTrip(*json, record::ProfileFromJson);
  std::ignore = kb::wire::SetupFromJson(*json);
  return 0;
}
