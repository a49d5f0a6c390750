#include "timing/floor.h"

#include <algorithm>

namespace kb::timing {
namespace {

// Of what the measured ceilings say. A copy reaches 83 to 92 % of what the
// memory's pins can carry, a matrix product 80 % of what the tensor cores can
// do, and a disturbed device less.
constexpr double kShare = 0.8;
// Who converts them to half as many bits while loading reads no more.
constexpr double kWeightShare = 0.5;
// A cache may still hold so much of the call before.
constexpr double kCacheBytes = uint64_t{128} << 20;
// Half of what an empty kernel takes in a chain on an H200.
constexpr double kKernelMicros = 0.5;

// That anybody could use. Where the tolerance is that of 16 bits, products of 8
// bits pass on some inputs, and tensor cores do twice as many of them.
double FastestTflops(const record::Ceilings& ceilings,
                     record::Precision precision) {
  const double measured =
      std::max({ceilings.fp32_tflops, ceilings.tf32_tflops,
                ceilings.fp16_tflops, ceilings.bf16_tflops});
  return precision == record::Precision::kFp32 ? measured : 2 * measured;
}

}  // namespace

Demand DemandOf(const record::Problem& problem, record::Precision precision,
                const record::Ruler& ruler) {
  const record::Floor& floor = problem.floor;
  Demand demand;
  demand.bytes = static_cast<double>(ruler.output_bytes);
  const auto& known = floor.precisions;
  if (!known.empty() && std::ranges::find(known, precision) == known.end())
    return demand;
  if (floor.inputs) demand.bytes += static_cast<double>(ruler.input_bytes);
  if (floor.weights)
    demand.bytes += kWeightShare * static_cast<double>(ruler.weight_bytes);
  if (floor.flops && problem.cost) demand.flops = problem.cost->flops;
  return demand;
}

double FloorMicros(const Demand& demand, const record::Ceilings& ceilings,
                   record::Precision precision) {
  if (!(ceilings.bandwidth_gbps > 0) || !(demand.bytes > 0)) return 0;
  const double bytes = std::max(0.0, demand.bytes - kCacheBytes);
  double micros = bytes / ceilings.bandwidth_gbps / 1e3;
  const double tflops = FastestTflops(ceilings, precision);
  if (tflops > 0) micros = std::max(micros, demand.flops / tflops / 1e6);
  return std::max(kKernelMicros, kShare * micros);
}

}  // namespace kb::timing
