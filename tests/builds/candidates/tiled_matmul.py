# expect: correct cpu=not_run
# problem: level1/1
# about: shared memory, a template parameter, constants and the error of the last launch.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <cuda_runtime.h>
#include <torch/extension.h>
#include <iostream>

#define TILE 32

template <int N>
__global__ void matmul_kernel(const float* __restrict__ A, const float* __restrict__ B,
                              float* __restrict__ C, int M, int K, int P) {
    __shared__ float As[N][N];
    __shared__ float Bs[N][N + 1];
    const int row = blockIdx.y * N + threadIdx.y, col = blockIdx.x * N + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (K + N - 1) / N; ++t) {
        As[threadIdx.y][threadIdx.x] =
            row < M && t * N + threadIdx.x < K ? A[row * K + t * N + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] =
            col < P && t * N + threadIdx.y < K ? B[(t * N + threadIdx.y) * P + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < N; ++i) sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < P) C[row * P + col] = sum;
}

torch::Tensor matmul(torch::Tensor A, torch::Tensor B) {
    auto options = torch::TensorOptions().dtype(A.dtype()).device(A.device());
    auto C = torch::zeros({A.size(0), B.size(1)}, options);
    dim3 threads(TILE, TILE);
    dim3 blocks((B.size(1) + TILE - 1) / TILE, (A.size(0) + TILE - 1) / TILE);
    matmul_kernel<TILE><<<blocks, threads>>>(A.data_ptr<float>(), B.data_ptr<float>(),
                                             C.data_ptr<float>(), A.size(0), A.size(1), B.size(1));
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) std::cerr << cudaGetErrorString(error) << std::endl;
    return C;
}
"""

extension = load_inline(
    name="tiled_matmul",
    cpp_sources="torch::Tensor matmul(torch::Tensor A, torch::Tensor B);",
    cuda_sources=source,
    functions=["matmul"],
    extra_cflags=[""],
    extra_ldflags=[""],
)


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return extension.matmul(A.contiguous(), B.contiguous())
