#include "analysis/roofline.h"

#include <algorithm>

namespace kb::analysis {

std::optional<Roofline> RooflineAt(record::Precision precision,
                                   const std::string& name,
                                   const record::Ceilings& ceilings,
                                   bool measured) {
  using enum record::Precision;
  Roofline roofline{name, ceilings.bandwidth_gbps, 0,
                    record::PrecisionName(precision), measured};
  if (precision == kFp32) roofline.tflops = ceilings.fp32_tflops;
  if (precision == kFp16) roofline.tflops = ceilings.fp16_tflops;
  if (precision == kBf16) roofline.tflops = ceilings.bf16_tflops;
  if (precision == kFp32 && ceilings.tf32_tflops > ceilings.fp32_tflops) {
    roofline.tflops = ceilings.tf32_tflops;
    roofline.precision = "TF32 tensor cores";
  }
  if (!(roofline.bandwidth_gbps > 0) || !(roofline.tflops > 0))
    return std::nullopt;
  return roofline;
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
