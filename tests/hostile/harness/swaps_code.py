# expect: incorrect|runtime_error|load_error
# problem: level1/19
# tricks: H03, H16
# twin: ../twins/relu.py
# about: Gives functions of the program above another body.
import sys
import types

import torch
from torch import nn

def yes(*_: object, **__: object) -> bool:
    return True


for function in list(vars(sys.modules["__main__"]).values()):
    if isinstance(function, types.FunctionType) and "check" in function.__name__:
        function.__code__ = yes.__code__


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
