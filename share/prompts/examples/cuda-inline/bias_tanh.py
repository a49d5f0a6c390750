import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor bias_tanh(torch::Tensor x, torch::Tensor bias);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#include <algorithm>

__global__ void bias_tanh_kernel(const float* __restrict__ x,
                                 const float* __restrict__ bias,
                                 float* __restrict__ out, int64_t features,
                                 int64_t rows) {
  const int64_t c = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (c >= features) return;
  const float b = bias[c];
  for (int64_t r = blockIdx.y; r < rows; r += gridDim.y)
    out[r * features + c] = tanhf(x[r * features + c] + b);
}

torch::Tensor bias_tanh(torch::Tensor x, torch::Tensor bias) {
  const auto input = x.contiguous();
  auto out = torch::empty_like(input);
  const int64_t features = bias.numel();
  const int64_t rows = input.numel() / features;
  const dim3 grid(static_cast<unsigned>((features + 255) / 256),
                  static_cast<unsigned>(std::min<int64_t>(rows, 65535)));
  bias_tanh_kernel<<<grid, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      input.data_ptr<float>(), bias.data_ptr<float>(), out.data_ptr<float>(),
      features, rows);
  return out;
}
"""

extension = load_inline(
    name="bias_tanh",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["bias_tanh"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.bias_tanh(x, self.bias)
