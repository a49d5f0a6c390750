#include "search/approach.h"

#include <algorithm>
#include <utility>

namespace kb::search {
namespace {

struct Approach {
  const char* name;
  std::vector<const char*> words;  // one of them is enough
};

const std::vector<Approach>& Approaches() {
  static const std::vector<Approach> kApproaches{
      {"asynchronous copies", {"cp.async", "memcpy_async", "cuda::pipeline"}},
      {"atomics", {"atomicAdd", "atomicMax", "tl.atomic_", "std::atomic"}},
      {"autotuning", {"triton.autotune"}},
      {"blocks of a matrix", {"TILE", "Tile", "tile", "BLOCK_M", "kBlock"}},
      {"CUDA graph", {"CUDAGraph", "cudaGraph"}},
      {"CUTLASS", {"cutlass", "cute::"}},
      {"half precision", {"__half", "bfloat16", "float16", "half2"}},
      {"library calls", {"cublas", "cudnn", "cusparse", "mkldnn"}},
      {"processor vectors", {"_mm256", "_mm512", "__m256", "omp simd"}},
      {"processor threads", {"std::thread", "omp parallel", "parallel_for"}},
      {"PyTorch operators",
       {"torch.matmul", "torch.nn.functional", "F.conv", "at::matmul"}},
      {"shared memory", {"__shared__"}},
      {"tensor cores", {"wmma", "mma.sync", "wgmma", "tl.dot"}},
      {"Triton", {"@triton.jit"}},
      {"unrolled loops", {"#pragma unroll", "GCC unroll", "static_range"}},
      {"vector loads", {"float4", "float2", "uint4", "int4"}},
      {"warp shuffles", {"__shfl"}},
  };
  return kApproaches;
}

// Without what C++ and Python leave out: from // and from # with a blank to the
// end of the line, and /* to */.
std::string WithoutComments(std::string_view source) {
  std::string kept;
  size_t at = 0;
  while (at < source.size()) {
    const std::string_view rest = source.substr(at);
    size_t length = 0;
    if (rest.starts_with("//") || rest.starts_with("# "))
      length = std::min(rest.find('\n'), rest.size());
    else if (rest.starts_with("/*"))
      length = std::min(rest.find("*/"), rest.size() - 2) + 2;
    if (length == 0) kept += source[at++];
    at += length;
  }
  return kept;
}

}  // namespace

std::vector<std::string> ApproachesOf(std::string_view source) {
  const std::string text = WithoutComments(source);
  std::vector<std::string> approaches;
  for (const Approach& approach : Approaches())
    if (std::ranges::any_of(approach.words, [&](const char* word) {
          return text.find(word) != std::string::npos;
        }))
      approaches.emplace_back(approach.name);
  std::ranges::sort(approaches);
  return approaches;
}

}  // namespace kb::search
