# expect: correct cpu=not_run
# problem: level1/94
# about: optional arguments, lists and tuples of tensors across the bindings.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <optional>
#include <tuple>
#include <vector>

__global__ void squares(const float* a, const float* b, float* out, int64_t n) {
    __shared__ float shared[256];
    float sum = 0;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x) {
        float d = a[i] - b[i];
        sum += d * d;
    }
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) shared[threadIdx.x] += shared[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

std::tuple<torch::Tensor, int64_t> partial_sums(
    std::vector<torch::Tensor> pair, std::optional<torch::Tensor> out) {
    TORCH_CHECK(pair.size() == 2);
    auto a = pair[0].contiguous(), b = pair[1].contiguous();
    auto sums = out.has_value() ? *out : torch::empty({1024}, a.options());
    squares<<<1024, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), sums.data_ptr<float>(),
                           a.numel());
    return {sums, a.numel()};
}
"""

extension = load_inline(
    name="optional_and_lists",
    cpp_sources="std::tuple<torch::Tensor, int64_t> partial_sums("
    "std::vector<torch::Tensor> pair, std::optional<torch::Tensor> out);",
    cuda_sources=source,
    functions=["partial_sums"],
)


class ModelNew(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        sums, count = extension.partial_sums([predictions, targets], None)
        return sums.double().sum().div(count).float()
