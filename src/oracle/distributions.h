#pragma once

#include <vector>

#include "device/kernels.h"
#include "oracle/reference.h"
#include "record/outside.h"

namespace kb::oracle {

// On which distributions of its inputs a problem can be tried, by what they are
// and whether it answers with places: of equal elements any one may be meant.
std::vector<record::Distribution> DistributionsFor(
    const Reference::Nature& nature,
    const std::vector<record::TensorSpec>& inputs,
    const std::vector<record::TensorSpec>& outputs);

// Gives inputs that were drawn this distribution.
base::Result<void> Distribute(device::Kernels* kernels,
                              const std::vector<TensorView>& inputs,
                              const Reference::Nature& nature,
                              record::Distribution as, uint64_t seed);

}  // namespace kb::oracle
