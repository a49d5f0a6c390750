import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor fused_gelu(torch::Tensor x, torch::Tensor bias);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

constexpr int kThreads = 256;

// One pass: x is read once, and bias, GELU and sum are done in registers.
__global__ void __launch_bounds__(kThreads)
    fused_gelu_kernel(const float* __restrict__ x,
                      const float* __restrict__ bias, float* __restrict__ out,
                      int64_t features) {
  const float* row = x + blockIdx.x * features;
  for (int64_t c = threadIdx.x; c < features; c += kThreads) {
    const float in = row[c];
    const float value = in + bias[c];
    const float gelu = 0.5f * value * (1.0f + erff(value * 0.70710678f));
    out[blockIdx.x * features + c] = in + gelu;
  }
}

torch::Tensor fused_gelu(torch::Tensor x, torch::Tensor bias) {
  const auto input = x.contiguous();
  auto out = torch::empty_like(input);
  const int64_t features = bias.numel();
  const auto rows = static_cast<unsigned>(input.numel() / features);
  fused_gelu_kernel<<<rows, kThreads, 0, at::cuda::getCurrentCUDAStream()>>>(
      input.data_ptr<float>(), bias.data_ptr<float>(), out.data_ptr<float>(),
      features);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
"""

extension = load_inline(
    name="fused_gelu",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["fused_gelu"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.fused_gelu(x, self.bias)
