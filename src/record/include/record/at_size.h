#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/policy.h"
#include "record/problem.h"
#include "record/timing.h"
#include "record/verdict.h"

namespace kb::record {

// What an evaluation at several sizes found at one of them: the fields of an
// evaluation at that size alone.
struct AtSize {
  Size size = Size::kFull;
  std::string problem_hash;
  std::optional<Verdict> verdict;
  std::string reason;
  Tolerance tolerance;
  std::vector<Trial> trials;
  std::optional<Ruler> ruler;
  std::optional<TimeSummary> reference_time;
  std::optional<TimeSummary> candidate_time;
  std::optional<Interval> speedup;
  std::optional<TimeSummary> reference_wall;
  std::optional<TimeSummary> candidate_wall;
  std::optional<Interval> wall_speedup;
  bool operator==(const AtSize&) const = default;
};
base::Json ToJson(const AtSize& at);
base::Result<AtSize> AtSizeFromJson(const base::Json& json);
// The list of them, not empty; as a column of the store holds it.
base::Json ToJson(const std::vector<AtSize>& sizes);
base::Result<std::vector<AtSize>> AtSizesFromJson(const base::Json& json);

}  // namespace kb::record
