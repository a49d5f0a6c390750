# expect: correct
# problem: level2/12
# about: Split-K: each part's sum is rounded to 16 bits, then the parts are added in float32.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def part_of_product(
    x_ptr, w_ptr, part_ptr, m, n, k, share, TILE: tl.constexpr, DEPTH: tl.constexpr
):
    rows = (tl.program_id(0) * TILE + tl.arange(0, TILE)).to(tl.int64)[:, None]
    columns = (tl.program_id(1) * TILE + tl.arange(0, TILE)).to(tl.int64)[None, :]
    part = tl.program_id(2)
    depth = tl.arange(0, DEPTH)
    end = min(k, (part + 1) * share)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(part * share, end, DEPTH):
        xk = start + depth[None, :]
        wk = start + depth[:, None]
        x = tl.load(x_ptr + rows * k + xk, mask=(rows < m) & (xk < end), other=0.0)
        w = tl.load(w_ptr + columns * k + wk, mask=(columns < n) & (wk < end), other=0.0)
        total = tl.dot(x, w, total)
    at = part_ptr + (part.to(tl.int64) * m + rows) * n + columns
    tl.store(at, total.to(part_ptr.dtype.element_ty), mask=(rows < m) & (columns < n))


@triton.jit
def finish(part_ptr, bias_ptr, y_ptr, m, n, parts, factor, slope, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    size = m.to(tl.int64) * n
    total = tl.load(bias_ptr + at % n).to(tl.float32)
    for part in range(parts):
        total += tl.load(part_ptr + part * size + at, mask=at < size, other=0.0).to(tl.float32)
    total *= factor
    total = tl.where(total > 0, total, slope * total)
    tl.store(y_ptr + at, total.to(y_ptr.dtype.element_ty), mask=at < size)


class ModelNew(nn.Module):
    def __init__(
        self, in_features: int, out_features: int, multiplier: float, negative_slope: float
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight, bias = self.gemm.weight, self.gemm.bias
        m, k, n, parts = x.shape[0], x.shape[1], weight.shape[0], 4
        tile, depth, block = (128, 64, 1024) if x.is_cuda else (512, 512, 2**16)
        share = triton.cdiv(triton.cdiv(k, parts), depth) * depth
        sums = torch.empty((parts, m, n), dtype=x.dtype, device=x.device)
        y = torch.empty((m, n), dtype=x.dtype, device=x.device)
        grid = (triton.cdiv(m, tile), triton.cdiv(n, tile), parts)
        part_of_product[grid](
            x.contiguous(), weight, sums, m, n, k, share, TILE=tile, DEPTH=depth, num_warps=8
        )
        finish[(triton.cdiv(m * n, block),)](
            sums, bias, y, m, n, parts, self.multiplier, self.negative_slope, BLOCK=block
        )
        return y
