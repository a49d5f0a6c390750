#pragma once

#include "base/result.h"
#include "device/kernels.h"
#include "kernels/redraw.h"
#include "record/tensor.h"

namespace kb::device {

// Whether Kernels::Compare accepts this pair of element types.
base::Result<void> CheckComparable(record::DType expected,
                                   record::DType actual);
// Whether Kernels::Widen and CompareBeyond accept it.
base::Result<void> CheckSlack(record::DType dtype);
// Whether Kernels::Mix accepts it.
base::Result<void> CheckMixable(record::DType dtype);
// Whether Kernels::Distribute accepts it, and how the kernels are told.
base::Result<kernels::Redrawing> RedrawingOf(record::DType dtype,
                                             const Kernels::Redraw& how);

}  // namespace kb::device
