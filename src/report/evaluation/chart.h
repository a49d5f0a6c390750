#pragma once

#include <string>
#include <vector>

#include "record/evaluation.h"

namespace kb::report {

// The range of a logarithmic axis of speedups, around 1x.
struct SpeedupAxis {
  double low = 0.5;
  double high = 2;
};

// Powers of two that hold every interval, at least 1/2 to 2, at most 1/64 to
// 1024; what lies beyond is drawn at the edge.
SpeedupAxis AxisFor(const std::vector<record::Evaluation>& evaluations);

// <svg> with the ends and the middle of the axis, for the column's head.
std::string SpeedupScaleSvg(const SpeedupAxis& axis);

// <svg> with a bar from 1x to the estimate and whiskers for the interval.
std::string SpeedupSvg(const record::Interval& speedup,
                       const SpeedupAxis& axis);

// <svg> of the times of both sides in each timed trial. Filled: the trial
// counts. "" when none was timed.
std::string TrialsSvg(const record::Evaluation& evaluation);

}  // namespace kb::report
