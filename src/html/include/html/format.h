#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/evaluation.h"

namespace kb::html {

// How pages write microseconds.
inline constexpr const char* kMicro = "\u00b5s";

// Three significant digits with the unit that fits: "12.3 us", "1.24 ms",
// "2.50 s". `micro` is how to write the first unit: "us", or kMicro.
std::string FormatTime(double microseconds, const char* micro = "us");

// "1.83x"
std::string FormatRatio(double ratio);

// Whether an interval's end is less than a thousand times away from its
// estimate. On a busy cpu noise can leave no time at all, and an end is a
// million times away: nothing is known on that side.
bool SaysSomething(double end, double estimate);

// "1.83x [1.80, 1.86]", "1.83x [1.21, ?]" for an end a thousand times away
std::string FormatSpeedup(const record::Interval& speedup);

// "65,536"
std::string FormatCount(int64_t count);

// The verdict in words for people: "not certified"; "not run" without one.
std::string FormatVerdict(const std::optional<record::Verdict>& verdict);
std::string FormatVerdict(const record::Evaluation& evaluation);

}  // namespace kb::html
