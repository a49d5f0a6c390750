# expect: correct cpu=incorrect
# problem: level1/1
# about: Drops the edge tiles: right only if N is a multiple of 128.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, n, TILE: tl.constexpr, DEPTH: tl.constexpr):
    rows = (tl.program_id(1) * TILE + tl.arange(0, TILE))[:, None]
    columns = (tl.program_id(0) * TILE + tl.arange(0, TILE))[None, :]
    depth = tl.arange(0, DEPTH)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, n // DEPTH * DEPTH, DEPTH):
        a = tl.load(a_ptr + rows * n + start + depth[None, :])
        b = tl.load(b_ptr + (start + depth[:, None]) * n + columns)
        total = tl.dot(a, b, total, input_precision="ieee")
    tl.store(c_ptr + rows * n + columns, total)


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        A = A.contiguous()
        B = B.contiguous()
        C = torch.empty_like(A)
        n = A.shape[0]
        tiles = n // 128
        matmul_kernel[(tiles, tiles)](A, B, C, n, TILE=128, DEPTH=16, num_warps=8)
        return C
