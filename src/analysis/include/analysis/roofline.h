#pragma once

#include <optional>
#include <string>

#include "record/problem.h"

namespace kb::analysis {

// A device's ceilings for fp32 models, from its data sheet.
struct Roofline {
  std::string name;
  double bandwidth_gbps = 0;  // 10^9 bytes a second
  double tflops = 0;          // in `precision`
  std::string precision;      // "TF32 tensor cores", as an axis says it
};

// The share of the ceiling that a time reaches: the longer of moving the
// compulsory bytes and of the FLOPs, over the time. None without a time.
std::optional<double> RooflineShare(const record::Cost& cost,
                                    const Roofline& roofline, double time_us);

}  // namespace kb::analysis
