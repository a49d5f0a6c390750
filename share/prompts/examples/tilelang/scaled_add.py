import tilelang
import tilelang.language as T
import torch
import torch.nn as nn

BLOCK_ROWS = 4
BLOCK_COLUMNS = 512
THREADS = 256


@tilelang.jit(out_idx=[-1])
def scaled_add(rows, columns, alpha, dtype="float32"):
    @T.prim_func
    def kernel(
        x: T.Tensor((rows, columns), dtype),
        y: T.Tensor((rows, columns), dtype),
        out: T.Tensor((rows, columns), dtype),
    ):
        with T.Kernel(
            T.ceildiv(columns, BLOCK_COLUMNS),
            T.ceildiv(rows, BLOCK_ROWS),
            threads=THREADS,
        ) as (bx, by):
            for i, j in T.Parallel(BLOCK_ROWS, BLOCK_COLUMNS):
                row = by * BLOCK_ROWS + i
                column = bx * BLOCK_COLUMNS + j
                out[row, column] = alpha * x[row, column] + y[row, column]

    return kernel


class ModelNew(nn.Module):
    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha
        self.kernels = {}

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        rows, columns = x.shape
        if (rows, columns) not in self.kernels:
            self.kernels[rows, columns] = scaled_add(rows, columns, self.alpha)
        return self.kernels[rows, columns](x.contiguous(), y.contiguous())
