# expect: correct cpu=not_run
# problem: level1/1
# about: a library of the toolkit, by the handle that PyTorch keeps.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cublas_v2.h>

torch::Tensor matmul(torch::Tensor a, torch::Tensor b) {
    const int n = a.size(0), k = a.size(1), m = b.size(1);
    auto c = torch::empty({n, m}, a.options());
    const float one = 1.0f, zero = 0.0f;
    cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
    cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one,
        b.data_ptr<float>(), m, a.data_ptr<float>(), k, &zero, c.data_ptr<float>(), m);
    TORCH_CHECK(status == CUBLAS_STATUS_SUCCESS, "cublasSgemm: ", int(status));
    return c;
}
"""

extension = load_inline(
    name="with_cublas",
    cpp_sources="torch::Tensor matmul(torch::Tensor a, torch::Tensor b);",
    cuda_sources=source,
    functions=["matmul"],
    extra_ldflags=["-lcublas"],
)


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return extension.matmul(A, B)
