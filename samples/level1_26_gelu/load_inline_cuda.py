# expect: correct cpu=not_run
# problem: level1/26
# about: load_inline with CUDA: a grid-stride loop over any number of elements.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor gelu(torch::Tensor x);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#include <algorithm>

__global__ void gelu_kernel(const float* x, float* y, int64_t n) {
  const int64_t step = gridDim.x * static_cast<int64_t>(blockDim.x);
  for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
       i < n; i += step)
    y[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
}

torch::Tensor gelu(torch::Tensor x) {
  const auto input = x.contiguous();
  auto output = torch::empty_like(input);
  const int64_t n = input.numel();
  const auto blocks = std::min<int64_t>((n + 511) / 512, 132 * 64);
  gelu_kernel<<<blocks, 512, 0, at::cuda::getCurrentCUDAStream()>>>(
      input.data_ptr<float>(), output.data_ptr<float>(), n);
  return output;
}
"""

extension = load_inline(
    name="gelu_cuda",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["gelu"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.gelu(x)
