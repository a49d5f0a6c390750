# expect: correct cpu=not_run
# problem: level1/26
# about: one CUDA source that makes its own module, as published kernels do, and nothing in C++.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")

template <typename scalar_t>
__global__ void gelu_kernel(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, size_t n) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)blockDim.x * gridDim.x) {
        const scalar_t v = x[i];
        y[i] = v * scalar_t(0.5) * (scalar_t(1) + erf(v * scalar_t(0.7071067811865475244)));
    }
}

torch::Tensor forward(torch::Tensor x) {
    CHECK_CUDA(x);
    if (!x.is_contiguous()) throw std::runtime_error("x must be contiguous");
    auto y = torch::empty_like(x);
    const int threads = 256;
    const int blocks = std::min<int64_t>((x.numel() + threads - 1) / threads, 65535);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gelu_forward", ([&] {
        gelu_kernel<scalar_t><<<blocks, threads>>>(
            x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
    }));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "GELU (CUDA)");
}
"""

extension = load_inline(name="own_module", cpp_sources="", cuda_sources=source)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.forward(x)
