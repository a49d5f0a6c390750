#pragma once

#include <optional>
#include <string>

#include "record/problem.h"
#include "record/timing.h"

namespace kb::analysis {

// A device's ceilings for fp32 models.
struct Roofline {
  std::string name;
  double bandwidth_gbps = 0;  // 10^9 bytes a second
  double tflops = 0;          // in `precision`
  std::string precision;      // "TF32 tensor cores", as an axis says it
  bool measured = false;      // by us; or what the data sheet says
};

// What results of the device carry; none where it was not measured.
std::optional<Roofline> MeasuredRoofline(const std::string& name,
                                         const record::Ceilings& ceilings);

// The share of the ceiling that a time reaches: the longer of moving the
// compulsory bytes and of the FLOPs, over the time. None without a time.
std::optional<double> RooflineShare(const record::Cost& cost,
                                    const Roofline& roofline, double time_us);

}  // namespace kb::analysis
