import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack

THREADS = 256


@cute.kernel
def scaled_add_kernel(
    x: cute.Tensor,
    y: cute.Tensor,
    out: cute.Tensor,
    alpha: cutlass.Float32,
    n: cutlass.Int32,
):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    i = block * THREADS + thread
    if i < n:
        out[i] = alpha * x[i] + y[i]


@cute.jit
def scaled_add(
    x: cute.Tensor,
    y: cute.Tensor,
    out: cute.Tensor,
    alpha: cutlass.Float32,
    n: cutlass.Int32,
    stream: cuda.CUstream,
):
    scaled_add_kernel(x, y, out, alpha, n).launch(
        grid=(cute.ceil_div(n, THREADS), 1, 1),
        block=(THREADS, 1, 1),
        stream=stream,
    )


def flat(tensor: torch.Tensor):
    return from_dlpack(tensor.view(-1), assumed_align=16).mark_layout_dynamic()


class ModelNew(nn.Module):
    def __init__(self, alpha: float) -> None:
        super().__init__()
        self.alpha = alpha
        self.compiled = None

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x, y = x.contiguous(), y.contiguous()
        out = torch.empty_like(x)
        arguments = (
            flat(x),
            flat(y),
            flat(out),
            cutlass.Float32(self.alpha),
            cutlass.Int32(out.numel()),
            cuda.CUstream(torch.cuda.current_stream().cuda_stream),
        )
        if self.compiled is None:
            self.compiled = cute.compile(scaled_add, *arguments)
        self.compiled(*arguments)
        return out
