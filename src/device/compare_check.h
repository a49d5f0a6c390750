#pragma once

#include "base/result.h"
#include "record/tensor.h"

namespace kb::device {

// Whether Kernels::Compare accepts this pair of element types.
base::Result<void> CheckComparable(record::DType expected,
                                   record::DType actual);
// Whether Kernels::Mix accepts it.
base::Result<void> CheckMixable(record::DType dtype);

}  // namespace kb::device
