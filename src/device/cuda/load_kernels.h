#pragma once

#include <string>

#include "base/result.h"
#include "cuda/cubin_cache.h"
#include "cuda/module.h"

namespace kb::device::cuda {

// The one of KernelSources that is called `name`, from the cache, or compiled
// when it is not there or does not load.
base::Result<Module> LoadKernels(const ContextPtr& context,
                                 const CubinCache& cache,
                                 const std::string& name);

}  // namespace kb::device::cuda
