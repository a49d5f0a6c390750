#pragma once

#include <optional>
#include <string>

#include "record/policy.h"
#include "record/problem.h"
#include "record/timing.h"

namespace kb::analysis {

// A device's ceilings for models of one precision.
struct Roofline {
  std::string name;
  double bandwidth_gbps = 0;  // 10^9 bytes a second
  double tflops = 0;          // 10^12 operations a second, in `precision`
  std::string precision;      // "TF32 tensor cores", as an axis says it
  bool measured = false;      // by us; or what the data sheet says
};

// For fp32 of TF32 tensor cores where they are faster than fp32 itself. None
// without a bandwidth or units for the precision, and for kAsGiven, whose
// models mix several. `measured`: `ceilings` are what a result carries.
std::optional<Roofline> RooflineAt(record::Precision precision,
                                   const std::string& name,
                                   const record::Ceilings& ceilings,
                                   bool measured);

// The share of the ceiling that a time reaches: the longer of moving the
// compulsory bytes and of the FLOPs, over the time. None without a time.
std::optional<double> RooflineShare(const record::Cost& cost,
                                    const Roofline& roofline, double time_us);

}  // namespace kb::analysis
