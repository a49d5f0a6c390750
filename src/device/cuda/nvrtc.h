#pragma once

#include <string>

#include "base/result.h"
#include "cuda/kernel_source.h"

namespace kb::device::cuda {

// NVIDIA's run-time compiler, opened at run time. It comes with torch's wheels.
class Nvrtc {
 public:
  // Looks, in this order: the file KB_NVRTC names; what is already loaded; the
  // folders of KB_NVRTC_DIRS (a colon list); the system's own. Opened on the
  // first call; lives until the process ends.
  static base::Result<const Nvrtc*> Get();

  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;
  ~Nvrtc() = default;

  const std::string& version() const { return version_; }  // "13.2"

  // A cubin for `arch`, e.g. "sm_90". KernelHeaders can be included. Works
  // without a GPU.
  base::Result<std::string> Compile(const KernelSource& source,
                                    const std::string& arch) const;

 private:
  struct Functions;
  Nvrtc(const Functions* functions, std::string version)
      : functions_(functions), version_(std::move(version)) {}
  static base::Result<const Nvrtc*> Open();

  const Functions* functions_;
  std::string version_;
};

// What Compile passes besides the architecture; part of a cache key.
std::string NvrtcOptions();

}  // namespace kb::device::cuda
