#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cuda/kernel_source.h"
#include "cuda/nvrtc.h"

namespace kb::device::cuda {

// Compiled kernels on disk, addressed by source, options, architecture and
// compiler version. An unusable folder means that everything is compiled anew,
// not that nothing works.
class CubinCache {
 public:
  // In os::CacheDirectory("kernels").
  explicit CubinCache(const Nvrtc* nvrtc) : nvrtc_(nvrtc) {}

  // A cached cubin whose checksum is right.
  std::optional<std::string> Find(const KernelSource& source,
                                  const std::string& arch) const;

  // Compiles, and replaces what is cached.
  base::Result<std::string> Compile(const KernelSource& source,
                                    const std::string& arch) const;

 private:
  base::Result<std::string> PathOf(const KernelSource& source,
                                   const std::string& arch) const;
  const Nvrtc* nvrtc_;
};

}  // namespace kb::device::cuda
