# expect: correct cpu=not_run
# problem: level1/19
# about: A CUDA extension by load_inline, launched on PyTorch's stream.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "torch::Tensor relu(torch::Tensor x);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void relu_kernel(const float4* x, float4* y, int64_t n4) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i >= n4) return;
  float4 v = x[i];
  v.x = v.x < 0 ? 0 : v.x;
  v.y = v.y < 0 ? 0 : v.y;
  v.z = v.z < 0 ? 0 : v.z;
  v.w = v.w < 0 ? 0 : v.w;
  y[i] = v;
}

__global__ void relu_tail(const float* x, float* y, int64_t n) {
  const int64_t i = n / 4 * 4 + threadIdx.x;
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
}

torch::Tensor relu(torch::Tensor x) {
  const auto input = x.contiguous();
  auto output = torch::empty_like(input);
  const float* in = input.data_ptr<float>();
  float* out = output.data_ptr<float>();
  const int64_t n = input.numel();
  const auto stream = at::cuda::getCurrentCUDAStream();
  if (n >= 4)
    relu_kernel<<<(n / 4 + 255) / 256, 256, 0, stream>>>(
        reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), n / 4);
  if (n % 4 != 0) relu_tail<<<1, 4, 0, stream>>>(in, out, n);
  return output;
}
"""

extension = load_inline(
    name="relu_cuda",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["relu"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu(x)
