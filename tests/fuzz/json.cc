// JSON from anywhere: what is read and printed reads the same.

#include "base/json.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto json = kb::base::ParseJson(kb::fuzz::Text(data, size), "input");
  if (!json) return 0;
  const std::string printed = kb::base::DumpJson(*json);
  const auto again = kb::base::ParseJson(printed, "again");
  kb::fuzz::Require(again.has_value(), "what was printed can be read");
  kb::fuzz::Require(kb::base::DumpJson(*again) == printed,
                    "what was read prints the same");
  return 0;
}
