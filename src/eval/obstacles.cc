#include "obstacles.h"

#include <fmt/format.h>

namespace kb::eval {

using record::Backend;
using record::Track;

std::string WhyNotRunnable(const record::Candidate& candidate, bool cuda,
                           const compile::Toolchain& tools) {
  if (!cuda && candidate.backend == Backend::kCuda)
    return "compiled; CUDA code cannot run on cpu";
  // An extension of C++ may call PyTorch's operators, which run anywhere.
  if (cuda && candidate.backend == Backend::kCpp &&
      candidate.track == Track::kNative)
    return "compiled; C++ code runs on cpu only";
  const bool triton = tools.python.tool && tools.python.tool->has_triton;
  const bool numpy = tools.python.tool && tools.python.tool->has_numpy;
  if (candidate.backend == Backend::kTriton && !triton)
    return "Python has no triton; install it";
  if (candidate.backend == Backend::kTriton && !cuda && !numpy)
    return "Triton's interpreter needs numpy; install it";
  return "";
}

std::string WhyNotBuilt(const record::Candidate& candidate,
                        const compile::Toolchain& tools) {
  const bool builds =
      candidate.track == Track::kNative || candidate.builds_extension;
  if (!builds) return "";
  const auto missing = [](const char* program, const std::string& advice) {
    return fmt::format("{} was not found, so it cannot be compiled: {}",
                       program, advice);
  };
  if (candidate.backend == Backend::kCuda && !tools.nvcc.tool)
    return missing("nvcc", tools.nvcc.reason);
  if (!tools.gxx.tool) return missing("g++", tools.gxx.reason);
  return "";
}

}  // namespace kb::eval
