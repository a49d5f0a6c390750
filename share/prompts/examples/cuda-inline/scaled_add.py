import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor scaled_add(torch::Tensor x, torch::Tensor y, double alpha);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void scaled_add_kernel(const float* __restrict__ x,
                                  const float* __restrict__ y,
                                  float* __restrict__ out, float alpha,
                                  int64_t n) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = alpha * x[i] + y[i];
}

torch::Tensor scaled_add(torch::Tensor x, torch::Tensor y, double alpha) {
  const auto a = x.contiguous();
  const auto b = y.contiguous();
  auto out = torch::empty_like(a);
  const int64_t n = a.numel();
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  scaled_add_kernel<<<blocks, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(),
      static_cast<float>(alpha), n);
  return out;
}
"""

extension = load_inline(
    name="scaled_add",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["scaled_add"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return extension.scaled_add(x, y, self.alpha)
