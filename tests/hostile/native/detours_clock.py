# expect: incorrect|runtime_error|load_error|timeout
# problem: level1/19
# tricks: N01
# twin: ../twins/relu.py
# about: Overwrites the first instructions of functions that take time or compare.
import ctypes

import torch
from torch import nn

libc = ctypes.CDLL(None)
RETURN_ZERO = b"\x31\xc0\xc3"
for name in ("clock_gettime", "memcmp"):
    address = ctypes.cast(getattr(libc, name), ctypes.c_void_p).value or 0
    page = address & ~4095
    if libc.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(8192), 7) == 0:
        ctypes.memmove(address, RETURN_ZERO, len(RETURN_ZERO))


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
