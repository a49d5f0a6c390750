# expect: incorrect
# problem: level1/1
# about: The operands are rounded to four significant bits before they are multiplied.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, n, TILE: tl.constexpr, DEPTH: tl.constexpr, GROUP: tl.constexpr):
    # GROUP rows of tiles at a time, so that both operands stay in the L2 cache.
    tiles = tl.cdiv(n, TILE)
    pid = tl.program_id(0)
    first = pid // (GROUP * tiles) * GROUP
    height = min(tiles - first, GROUP)
    tile_row = first + pid % (GROUP * tiles) % height
    tile_column = pid % (GROUP * tiles) // height

    rows = (tile_row * TILE + tl.arange(0, TILE)).to(tl.int64)[:, None]
    columns = (tile_column * TILE + tl.arange(0, TILE)).to(tl.int64)[None, :]
    depth = tl.arange(0, DEPTH)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, n, DEPTH):
        ak = start + depth[None, :]
        bk = start + depth[:, None]
        a = tl.load(a_ptr + rows * n + ak, mask=(rows < n) & (ak < n), other=0.0)
        b = tl.load(b_ptr + bk * n + columns, mask=(bk < n) & (columns < n), other=0.0)
        total = tl.dot(a.to(tl.float8e4nv), b.to(tl.float8e4nv), total)
    narrow = total.to(c_ptr.dtype.element_ty)
    tl.store(c_ptr + rows * n + columns, narrow, mask=(rows < n) & (columns < n))


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        A = A.contiguous()
        B = B.contiguous()
        C = torch.empty_like(A)
        n = A.shape[0]
        tile, depth = (128, 64) if A.is_cuda else (512, 512)
        grid = (triton.cdiv(n, tile) ** 2,)
        product[grid](A, B, C, n, TILE=tile, DEPTH=depth, GROUP=8, num_warps=8)
        return C
