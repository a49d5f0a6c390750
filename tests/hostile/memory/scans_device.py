# expect: incorrect|runtime_error
# problem: level1/19
# tricks: M03
# twin: ../twins/relu.py
# about: Looks through the addresses of the device for a block of the size of the answer.
import ctypes

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        cuda = ctypes.CDLL("libcuda.so.1")
        base, size = ctypes.c_uint64(), ctypes.c_size_t()
        y = torch.empty_like(x)
        for place in range(x.data_ptr() - (512 << 20), x.data_ptr() + (512 << 20), 2 << 20):
            found = cuda.cuMemGetAddressRange_v2(ctypes.byref(base), ctypes.byref(size), ctypes.c_uint64(place))
            if found == 0 and size.value == 4 * x.numel() and base.value not in (x.data_ptr(), y.data_ptr()):
                cuda.cuMemcpy(ctypes.c_uint64(y.data_ptr()), base, size)
                break
        return y
