#pragma once

#include <vector>

#include "device/kernels.h"
#include "oracle/reference.h"
#include "record/outside.h"
#include "record/policy.h"

namespace kb::oracle {

// On which distributions of its inputs a problem can be tried, by what they are
// and whether it answers with places: of equal elements any one may be meant.
// Without kAsGiven.
std::vector<record::Distribution> DistributionsFor(
    const Reference::Nature& nature,
    const std::vector<record::TensorSpec>& inputs,
    const std::vector<record::TensorSpec>& outputs);

// Which ones a policy tries candidates on, each in a trial of its own: those,
// and the problem's own where it mixes inputs. Twice the problem's own, where
// nothing is timed: all other inputs might be known then.
std::vector<record::Distribution> TrialsOutside(
    const record::Policy& policy, bool untimed, const Reference::Nature& nature,
    const std::vector<record::TensorSpec>& inputs,
    const std::vector<record::TensorSpec>& outputs);

// Gives inputs that were drawn this distribution.
base::Result<void> Distribute(device::Kernels* kernels,
                              const std::vector<TensorView>& inputs,
                              const Reference::Nature& nature,
                              record::Distribution as, uint64_t seed);

// Gives all floating inputs mixed scales and signs (InputStyle::kMixed). Not
// what means something by its values, a mask say, as long as others are mixed;
// a symmetric matrix never: who reads half of it is right. Each in a way of its
// own: where all had the same signs, |x| would do for x in what multiplies two
// of them.
base::Result<void> Mix(device::Kernels* kernels,
                       const std::vector<TensorView>& inputs,
                       const Reference::Nature& nature, uint64_t seed);

}  // namespace kb::oracle
