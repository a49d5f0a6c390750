# expect: correct cpu=not_run
# problem: level1/47
# about: CUB's reduction of a block, one block for a sum.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cub/cub.cuh>

template <int THREADS>
__global__ void sum_kernel(const float* x, float* y, int dim1, int dim2) {
    using Reduce = cub::BlockReduce<float, THREADS>;
    __shared__ typename Reduce::TempStorage storage;
    const int64_t batch = blockIdx.x / dim2, column = blockIdx.x % dim2;
    float sum = 0;
    for (int i = threadIdx.x; i < dim1; i += THREADS)
        sum += x[(batch * dim1 + i) * dim2 + column];
    sum = Reduce(storage).Sum(sum);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

torch::Tensor sum_dim1(torch::Tensor x) {
    auto y = torch::zeros({x.size(0), 1, x.size(2)}, x.options());
    sum_kernel<128><<<x.size(0) * x.size(2), 128>>>(
        x.data_ptr<float>(), y.data_ptr<float>(), x.size(1), x.size(2));
    return y;
}
"""

extension = load_inline(
    name="cub_reduce",
    cpp_sources="torch::Tensor sum_dim1(torch::Tensor x);",
    cuda_sources=source,
    functions=["sum_dim1"],
)


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.sum_dim1(x)
