# expect: correct cpu=not_run
# problem: level1/36
# about: packed accessors with restricted pointers, and errors by TORCH_CHECK.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <vector>

#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) CHECK_CUDA(x); CHECK_CONTIGUOUS(x)

__global__ void rms_kernel(
    const torch::PackedTensorAccessor64<float, 3, torch::RestrictPtrTraits> x,
    torch::PackedTensorAccessor64<float, 3, torch::RestrictPtrTraits> y, float eps) {
    const int64_t place = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    const int64_t b = blockIdx.y;
    if (place >= x.size(2)) return;
    float sum = 0;
    for (int64_t f = 0; f < x.size(1); ++f) sum += x[b][f][place] * x[b][f][place];
    const float factor = rsqrtf(sum / x.size(1) + eps);
    for (int64_t f = 0; f < x.size(1); ++f) y[b][f][place] = x[b][f][place] * factor;
}

torch::Tensor rms_norm(torch::Tensor x, double eps) {
    CHECK_INPUT(x);
    auto flat = x.view({x.size(0), x.size(1), -1});
    auto y = torch::zeros_like(flat);
    const dim3 blocks((flat.size(2) + 127) / 128, flat.size(0));
    rms_kernel<<<blocks, 128>>>(flat.packed_accessor64<float, 3, torch::RestrictPtrTraits>(),
                                y.packed_accessor64<float, 3, torch::RestrictPtrTraits>(),
                                static_cast<float>(eps));
    return y.view(x.sizes());
}
"""

extension = load_inline(
    name="accessors",
    cpp_sources="torch::Tensor rms_norm(torch::Tensor x, double eps);",
    cuda_sources=source,
    functions=["rms_norm"],
)


class ModelNew(nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.rms_norm(x, self.eps)
