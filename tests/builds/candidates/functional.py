# expect: correct cpu=not_run
# problem: level2/12
# about: torch::nn::functional for the product, a kernel for what follows it.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

namespace F = torch::nn::functional;

__global__ void scale_leaky(float* y, float factor, float slope, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = y[i] * factor;
    y[i] = v > 0 ? v : v * slope;
}

torch::Tensor gemm_scale_leaky(torch::Tensor x, torch::Tensor weight, torch::Tensor bias,
                               double factor, double slope) {
    auto y = F::linear(x, weight, bias).contiguous();
    scale_leaky<<<(y.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), factor, slope, y.numel());
    return y;
}
"""

extension = load_inline(
    name="functional",
    cpp_sources="torch::Tensor gemm_scale_leaky(torch::Tensor x, torch::Tensor weight, "
    "torch::Tensor bias, double factor, double slope);",
    cuda_sources=source,
    functions=["gemm_scale_leaky"],
)


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, slope: float):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.gemm_scale_leaky(
            x, self.gemm.weight, self.gemm.bias, self.multiplier, self.slope
        )
