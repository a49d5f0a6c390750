# expect: correct
# problem: level2/12
# about: Triton GEMM with a fused epilogue; the weights keep their names.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(
    x_ptr,
    w_ptr,
    bias_ptr,
    y_ptr,
    rows,
    columns,
    depth,
    multiplier,
    slope,
    TILE: tl.constexpr,
    DEPTH: tl.constexpr,
):
    # Row tiles vary fastest: they share the weights, the larger operand.
    r = (tl.program_id(0) * TILE + tl.arange(0, TILE)).to(tl.int64)[:, None]
    q = (tl.program_id(1) * TILE + tl.arange(0, TILE)).to(tl.int64)[None, :]
    k = tl.arange(0, DEPTH)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, depth, DEPTH):
        xk = start + k[None, :]
        wk = start + k[:, None]
        x = tl.load(x_ptr + r * depth + xk, mask=(r < rows) & (xk < depth), other=0.0)
        w = tl.load(
            w_ptr + q * depth + wk, mask=(q < columns) & (wk < depth), other=0.0
        )
        total = tl.dot(x, w, total, input_precision="ieee")
    bias = tl.load(bias_ptr + q, mask=q < columns, other=0.0)
    y = (total + bias) * multiplier
    y = tl.where(y > 0, y, y * slope)
    tl.store(y_ptr + r * columns + q, y, mask=(r < rows) & (q < columns))


class ModelNew(nn.Module):
    def __init__(
        self,
        in_features: int,
        out_features: int,
        multiplier: float,
        negative_slope: float,
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        weight = self.gemm.weight
        rows, depth = x.shape
        columns = weight.shape[0]
        y = torch.empty(rows, columns, dtype=x.dtype, device=x.device)
        tile, step = (128, 16) if x.is_cuda else (512, 512)
        grid = (triton.cdiv(rows, tile), triton.cdiv(columns, tile))
        linear_kernel[grid](
            x,
            weight,
            self.gemm.bias,
            y,
            rows,
            columns,
            depth,
            self.multiplier,
            self.negative_slope,
            TILE=tile,
            DEPTH=step,
            num_warps=8,
        )
        return y
