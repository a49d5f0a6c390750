# expect: correct
# problem: level1/23
# about: An online pass for maximum and sum, then a scaling pass over the row.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, y_ptr, rows, dim, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)[:, None]
    columns = tl.arange(0, BLOCK)[None, :]

    # One running pair per lane; those of a row meet after the loop.
    highest = tl.full((ROWS, BLOCK), -1e38, tl.float32)
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, dim, BLOCK):
        inside = (row < rows) & (start + columns < dim)
        offsets = row * dim + start + columns
        x = tl.load(x_ptr + offsets, mask=inside, other=float("-inf"))
        higher = tl.maximum(highest, x)
        total = total * tl.exp(highest - higher) + tl.exp(x - higher)
        highest = higher
    row_highest = tl.max(highest, axis=1)[:, None]
    row_total = tl.sum(total * tl.exp(highest - row_highest), axis=1)[:, None]

    for start in range(0, dim, BLOCK):
        inside = (row < rows) & (start + columns < dim)
        offsets = row * dim + start + columns
        x = tl.load(x_ptr + offsets, mask=inside, other=0.0)
        tl.store(y_ptr + offsets, tl.exp(x - row_highest) / row_total, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, dim = x.shape
        # A GPU wants one row per program, the interpreter few programs.
        height = 1 if x.is_cuda else 64
        softmax_kernel[(triton.cdiv(rows, height),)](
            x, y, rows, dim, ROWS=height, BLOCK=8192, num_warps=16
        )
        return y
