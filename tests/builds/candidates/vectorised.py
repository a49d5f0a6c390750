# expect: correct cpu=not_run
# problem: level1/19
# about: two kernels, of which the host takes the one with float4 where it can.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void relu_kernel(const float* __restrict__ x, float* __restrict__ y, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.0f);
}

__global__ void relu4_kernel(const float4* __restrict__ x, float4* __restrict__ y, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = x[i];
        y[i] = make_float4(fmaxf(v.x, 0.f), fmaxf(v.y, 0.f), fmaxf(v.z, 0.f), fmaxf(v.w, 0.f));
    }
}

torch::Tensor relu_cuda(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
    TORCH_CHECK(x.is_contiguous(), "x must be contiguous");
    auto y = torch::empty_like(x);
    int64_t n = x.numel();
    const int threads = 256;
    if (n % 4 == 0) {
        relu4_kernel<<<(n / 4 + threads - 1) / threads, threads>>>(
            reinterpret_cast<const float4*>(x.data_ptr<float>()),
            reinterpret_cast<float4*>(y.data_ptr<float>()), n / 4);
    } else {
        relu_kernel<<<(n + threads - 1) / threads, threads>>>(
            x.data_ptr<float>(), y.data_ptr<float>(), n);
    }
    return y;
}
"""

extension = load_inline(
    name="vectorised",
    cpp_sources="torch::Tensor relu_cuda(torch::Tensor x);",
    cuda_sources=source,
    functions=["relu_cuda"],
    verbose=False,
    extra_cflags=["-O3"],
    extra_cuda_cflags=["-O3", "--use_fast_math"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu_cuda(x.contiguous())
