# expect: correct|runtime_error cpu=load_error|runtime_error
# problem: level1/1
# tricks: B03
# twin: ../twins/matmul.py
# about: Calls cuBLAS by ctypes.
import ctypes

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        major = (torch.version.cuda or "12").split(".")[0]
        self.library = ctypes.CDLL(f"libcublas.so.{major}")

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        y = torch.empty(a.shape[0], b.shape[1], device=a.device)
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        m, n, k = b.shape[1], a.shape[0], a.shape[1]
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in (b, a, y)]
        handle = ctypes.c_void_p(torch.cuda.current_blas_handle())
        self.library.cublasSgemm_v2(
            handle, 0, 0, m, n, k, ctypes.byref(one), pointers[0], m, pointers[1], k,
            ctypes.byref(zero), pointers[2], m,
        )
        return y
