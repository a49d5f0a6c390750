"""A kernel of its own in an extension: the share of its own code is 1."""

import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

CUDA = """
#include <torch/extension.h>

__global__ void relu_kernel(const float* x, float* y, long n) {
  const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

torch::Tensor relu(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const long n = x.numel();
  relu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
extension = load_inline(
    name="own_relu",
    cpp_sources="torch::Tensor relu(torch::Tensor x);",
    cuda_sources=CUDA,
    functions=["relu"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu(x)
