# expect: correct cpu=not_run
# problem: level1/19
# about: an optional argument, sizes as a list, a tuple of tensors, and kernels that write by accessors.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAGuard.h>
#include <optional>
#include <tuple>

template <typename scalar_t>
__global__ void relu_kernel(
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> y,
    torch::PackedTensorAccessor32<bool, 2> kept, const scalar_t* bias) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    auto row = y[blockIdx.y];
    auto mask = kept[blockIdx.y];
    if (column >= x.size(1)) return;
    const scalar_t value = x[blockIdx.y][column] + (bias == nullptr ? scalar_t(0) : bias[column]);
    mask[column] = value > scalar_t(0);
    row[column] = value > scalar_t(0) ? value : scalar_t(0);
}

std::tuple<torch::Tensor, torch::Tensor> relu_bias(
    torch::Tensor x, c10::optional<torch::Tensor> bias, std::vector<int64_t> sizes) {
    const at::cuda::CUDAGuard guard(x.device());
    auto y = torch::empty(sizes, x.options());
    auto kept = torch::empty_like(y, x.options().dtype(torch::kBool));
    const dim3 blocks((x.size(1) + 255) / 256, x.size(0));
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "relu_bias", ([&] {
        relu_kernel<scalar_t><<<blocks, 256>>>(
            x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            y.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            kept.packed_accessor32<bool, 2>(),
            bias.has_value() ? bias->data_ptr<scalar_t>() : nullptr);
    }));
    return {y, kept};
}
"""

extension = load_inline(
    name="optional_bias",
    cpp_sources="std::tuple<torch::Tensor, torch::Tensor> relu_bias("
    "torch::Tensor x, c10::optional<torch::Tensor> bias, std::vector<int64_t> sizes);",
    cuda_sources=source,
    functions=["relu_bias"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu_bias(x, None, list(x.shape))[0]
