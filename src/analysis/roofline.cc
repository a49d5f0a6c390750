#include "analysis/roofline.h"

#include <algorithm>

namespace kb::analysis {

std::optional<Roofline> MeasuredRoofline(const std::string& name,
                                         const record::Ceilings& ceilings) {
  if (!(ceilings.bandwidth_gbps > 0)) return std::nullopt;
  if (ceilings.tf32_tflops > ceilings.fp32_tflops)
    return Roofline{name, ceilings.bandwidth_gbps, ceilings.tf32_tflops,
                    "TF32 tensor cores", true};
  return Roofline{name, ceilings.bandwidth_gbps, ceilings.fp32_tflops, "fp32",
                  true};
}

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
