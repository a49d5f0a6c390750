# expect: correct cpu=not_run
# problem: level1/23
# about: templates over the block and the operation, shuffles, the current stream.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <cfloat>

struct Max { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };

template <int kThreads, typename Op>
__device__ float block_reduce(float value, Op op, float neutral) {
    static_assert(kThreads % 32 == 0, "whole warps");
    __shared__ float shared[kThreads / 32];
    for (int offset = 16; offset > 0; offset /= 2)
        value = op(value, __shfl_xor_sync(0xffffffff, value, offset));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    float all = neutral;
    for (int i = 0; i < kThreads / 32; ++i) all = op(all, shared[i]);
    __syncthreads();
    return all;
}

template <int kThreads>
__global__ void softmax_kernel(const float* __restrict__ x, float* __restrict__ y, int64_t dim) {
    const float* row = x + blockIdx.x * dim;
    float* out = y + blockIdx.x * dim;
    float biggest = -FLT_MAX;
    for (int64_t i = threadIdx.x; i < dim; i += kThreads) biggest = fmaxf(biggest, row[i]);
    biggest = block_reduce<kThreads>(biggest, Max(), -FLT_MAX);
    float sum = 0;
    for (int64_t i = threadIdx.x; i < dim; i += kThreads) sum += expf(row[i] - biggest);
    sum = block_reduce<kThreads>(sum, Sum(), 0.0f);
    for (int64_t i = threadIdx.x; i < dim; i += kThreads) out[i] = expf(row[i] - biggest) / sum;
}

at::Tensor softmax(const at::Tensor& x) {
    auto y = at::empty(x.sizes(), x.options());
    auto stream = at::cuda::getCurrentCUDAStream();
    softmax_kernel<1024><<<x.size(0), 1024, 0, stream>>>(
        x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="templates",
    cpp_sources=["#include <torch/extension.h>", "at::Tensor softmax(const at::Tensor& x);"],
    cuda_sources=[source],
    functions={"softmax": "Softmax over the last dimension"},
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.softmax(x)
