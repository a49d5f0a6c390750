# expect: correct cpu=not_run
# problem: level1/21
# about: CUDA's own half and bfloat16 types beside float, chosen by the tensor's type.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

__global__ void kernel_float(const float* x, float* y, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = sigmoid(x[i]);
}
__global__ void kernel_half(const __half* x, __half* y, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2half(sigmoid(__half2float(x[i])));
}
__global__ void kernel_bfloat16(const __nv_bfloat16* x, __nv_bfloat16* y, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2bfloat16(sigmoid(__bfloat162float(x[i])));
}

torch::Tensor sigmoid_any(torch::Tensor x) {
    auto y = torch::empty_like(x);
    const int64_t n = x.numel();
    const int threads = 256, blocks = (n + threads - 1) / threads;
    if (x.dtype() == torch::kFloat32) {
        kernel_float<<<blocks, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    } else if (x.dtype() == torch::kFloat16) {
        kernel_half<<<blocks, threads>>>(reinterpret_cast<const __half*>(x.data_ptr<at::Half>()),
                                         reinterpret_cast<__half*>(y.data_ptr<at::Half>()), n);
    } else if (x.dtype() == torch::kBFloat16) {
        kernel_bfloat16<<<blocks, threads>>>(
            reinterpret_cast<const __nv_bfloat16*>(x.data_ptr<at::BFloat16>()),
            reinterpret_cast<__nv_bfloat16*>(y.data_ptr<at::BFloat16>()), n);
    } else {
        TORCH_CHECK(false, "no kernel for ", x.dtype());
    }
    return y;
}
"""

extension = load_inline(
    name="half_types",
    cpp_sources="torch::Tensor sigmoid_any(torch::Tensor x);",
    cuda_sources=source,
    functions=["sigmoid_any"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.sigmoid_any(x)
