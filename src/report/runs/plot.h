#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stats/bootstrap.h"

namespace kb::report {

// Where values lie in the plot, in user units of its SVG.
struct Plot {
  double left = 52, right = 704, top = 14, bottom = 300;
  double low_x = 0, high_x = 1, low_y = 0, high_y = 1;
  double step_y = 0;  // between lines; 0: as shares need it
  bool log_x = false;

  double X(double value) const;
  double Y(double value) const;
};

std::string OpenSvg(const std::string& label);
// Lines and numbers; `prefix` stands before those of the x axis, `name` below.
void AppendAxes(const Plot& plot, const char* prefix, const std::string& name,
                std::string* svg);
// Between lines; an axis has no more than so many.
constexpr double kMostSteps = 8;

// The path of steps: what holds at xs[i] holds until xs[i + 1].
std::string StepPath(const Plot& plot, const std::vector<double>& xs,
                     const std::vector<stats::Interval>& ys,
                     double stats::Interval::* part);
// The path around their intervals.
std::string StepBand(const Plot& plot, const std::vector<double>& xs,
                     const std::vector<stats::Interval>& ys);
// Circle, square, triangle, diamond: runs are told apart without colour.
std::string Marker(size_t run, double x, double y);

}  // namespace kb::report
