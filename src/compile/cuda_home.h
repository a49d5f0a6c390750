#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kb::compile {

// The nvidia-* wheels lay a CUDA toolkit out so that neither a linker nor
// torch's extension builder finds it: libraries in lib instead of lib64, only
// versioned names (libcudart.so.13), headers in several folders. Makes a folder
// of symlinks in our cache that looks like an installed toolkit, and returns
// it. `compiler` is the folder that holds bin/nvcc (.../nvidia/cu13), `wheels`
// are the folders called nvidia that wheels were installed into. An Error names
// the wheel that is missing.
base::Result<std::string> MakeCudaHome(const std::string& compiler,
                                       const std::vector<std::string>& wheels);

}  // namespace kb::compile
