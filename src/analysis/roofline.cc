#include "analysis/roofline.h"

#include <algorithm>

namespace kb::analysis {

std::optional<double> RooflineShare(const record::Cost& cost,
                                    const Roofline& roofline, double time_us) {
  if (!(time_us > 0) || !(roofline.bandwidth_gbps > 0)) return std::nullopt;
  const double bytes_us = static_cast<double>(cost.compulsory_bytes) /
                          roofline.bandwidth_gbps / 1e3;
  const double flops_us =
      roofline.tflops > 0 ? cost.flops / roofline.tflops / 1e6 : 0;
  return std::max(bytes_us, flops_us) / time_us;
}

}  // namespace kb::analysis
