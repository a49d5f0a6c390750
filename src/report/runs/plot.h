#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

// 1, 2 or 5 times a power of ten that makes four to ten steps.
double StepOf(double range);

std::string OpenSvg(const std::string& label);
// Lines and numbers; `prefix` stands before those of the x axis, `name` below.
void AppendAxes(const Plot& plot, const char* prefix, const std::string& name,
                std::string* svg);
// Circle, square, triangle, diamond: runs are told apart without colour.
std::string Marker(size_t run, double x, double y);

}  // namespace kb::report
