#pragma once

#include "base/result.h"
#include "cuda/module.h"
#include "cuda/primary_context.h"

namespace kb::device::cuda {

// Device::LaunchMicros. `spin` has the kernel "nothing".
base::Result<double> LaunchMicros(const ContextPtr& context, Module* spin);

}  // namespace kb::device::cuda
