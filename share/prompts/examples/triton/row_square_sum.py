import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_square_sum_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + offsets, mask=offsets < columns, other=0.0)
        x = x.to(tl.float32)
        sums += x * x
    tl.store(out_ptr + row, tl.sum(sums, axis=0))


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        columns = x.shape[-1]
        out = torch.empty(x.shape[:-1], dtype=x.dtype, device=x.device)
        row_square_sum_kernel[(out.numel(),)](x, out, columns, BLOCK=1024)
        return out
