#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "llm/provider.h"

namespace kb::llm {

// The tokens of an answer as its provider counts them. What they cost is money
// that somebody keeps to, so a count that cannot be is a mistake and not 0.
class Tally {
 public:
  // The count under `key`; absent when it is missing or null. A count that is
  // none becomes the mistake of this tally.
  std::optional<int64_t> Count(const base::Json& json, const char* key);

  std::optional<int64_t> input;  // cached and newly cached ones among them
  std::optional<int64_t> output;
  int64_t cached = 0;
  int64_t newly_cached = 0;
  int64_t reasoning = 0;  // of the output

  // The reply's usage becomes what was counted, if input and output are known
  // and fit together, else absent.
  void Settle(Reply* reply) const;

 private:
  std::string Mistake() const;

  std::string mistake_;
};

// The USD under `key`; absent when it is missing or null, or when it cannot be,
// which `reply` is told.
std::optional<double> UsdAt(const base::Json& json, const char* key,
                            Reply* reply);

}  // namespace kb::llm
