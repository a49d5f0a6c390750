#pragma once

#include <string>
#include <vector>

namespace kb::device::cuda {

// One translation unit of share/kernels, embedded at build.
struct KernelSource {
  std::string name;  // "compare.cu"
  const char* text;
};

const std::vector<KernelSource>& KernelSources();

// What the sources may include, by name.
const std::vector<KernelSource>& KernelHeaders();

}  // namespace kb::device::cuda
