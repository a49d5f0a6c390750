# expect: correct cpu=not_run
# problem: level1/22
# about: one kernel for float, half and bfloat16 by PyTorch's dispatch, and a device guard.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

template <typename scalar_t>
__global__ void tanh_kernel(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, size_t n) {
    const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
    if (i < n) y[i] = static_cast<scalar_t>(tanhf(static_cast<float>(x[i])));
}

torch::Tensor tanh_forward(torch::Tensor x) {
    const at::cuda::OptionalCUDAGuard guard(device_of(x));
    auto y = torch::empty_like(x);
    const int threads = 512;
    AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16,
        x.scalar_type(), "tanh_forward", ([&] {
            tanh_kernel<scalar_t><<<(x.numel() + threads - 1) / threads, threads, 0,
                                    at::cuda::getCurrentCUDAStream()>>>(
                x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
        }));
    AT_CUDA_CHECK(cudaGetLastError());
    return y;
}
"""

extension = load_inline(
    name="dispatch",
    cpp_sources="torch::Tensor tanh_forward(torch::Tensor x);",
    cuda_sources=source,
    functions=["tanh_forward"],
    extra_cuda_cflags=["-O3", "--expt-relaxed-constexpr"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.tanh_forward(x)
