#pragma once

#include <optional>

#include "base/json.h"
#include "base/result.h"
#include "record/policy.h"
#include "record/timing.h"

namespace kb::record {

// null where there is none.
template <typename T>
base::Json OptionalToJson(const std::optional<T>& value) {
  return value ? ToJson(*value) : base::Json(nullptr);
}

// What `json` has below `key`, where that is not null.
template <typename T>
base::Result<void> TakeOptional(const base::Json& json, const char* key,
                                base::Result<T> (*parse)(const base::Json&),
                                std::optional<T>* to) {
  KB_ASSIGN(const base::Json value, base::Get<base::Json>(json, key));
  if (value.is_null()) return base::Ok();
  KB_ASSIGN(*to, parse(value));
  return base::Ok();
}

// How something was compared and timed: of an evaluation, or of what it showed
// at one of several sizes.
template <typename E>
void AddTimes(const E& e, base::Json* json) {
  (*json)["tolerance"] = {{"atol", e.tolerance.atol},
                          {"rtol", e.tolerance.rtol}};
  (*json)["speedup"] = OptionalToJson(e.speedup);
  (*json)["candidate_time_us"] = OptionalToJson(e.candidate_time);
  (*json)["reference_time_us"] = OptionalToJson(e.reference_time);
  (*json)["wall_speedup"] = OptionalToJson(e.wall_speedup);
  (*json)["candidate_wall_us"] = OptionalToJson(e.candidate_wall);
  (*json)["reference_wall_us"] = OptionalToJson(e.reference_wall);
  (*json)["ruler"] = OptionalToJson(e.ruler);
}

}  // namespace kb::record
