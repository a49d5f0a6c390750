#pragma once

#include "record/policy.h"
#include "record/problem.h"
#include "record/timing.h"

namespace kb::timing {

// What one call cannot do without.
struct Demand {
  double bytes = 0;  // to be moved between the device's memory and processors
  double flops = 0;
};

// Of a problem whose tensors are as large as the ruler says: the outputs, and
// what else Problem::floor counts, of the weights half.
Demand DemandOf(const record::Problem& problem, record::Precision precision,
                const record::Ruler& ruler);

// No honest call is shorter, in microseconds; 0 where the device was not
// measured or nothing is asked for (docs/timing.md says how the margins were
// chosen). It is better to certify an impossible time than to refuse a good
// kernel.
double FloorMicros(const Demand& demand, const record::Ceilings& ceilings,
                   record::Precision precision);

}  // namespace kb::timing
