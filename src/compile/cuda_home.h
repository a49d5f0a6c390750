#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kb::compile {

// The nvidia-* wheels lay a CUDA toolkit out so that neither a linker nor
// torch's extension builder finds it: libraries in lib instead of lib64, only
// versioned names (libcudart.so.13), headers in several folders. Makes a folder
// of symlinks in our cache that looks like an installed toolkit, and returns
// it. `wheels` is site-packages/nvidia, `compiler` the folder in it that holds
// bin/nvcc. An Error names the wheel that is missing.
base::Result<std::string> MakeCudaHome(const std::string& wheels,
                                       const std::string& compiler);

}  // namespace kb::compile
