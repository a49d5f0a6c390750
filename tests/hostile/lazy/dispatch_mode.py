# expect: incorrect|runtime_error|load_error
# problem: level1/19
# tricks: L06
# twin: ../twins/relu.py
# about: A mode below the functions makes every difference zero.
import torch
from torch import nn

from torch.utils._python_dispatch import TorchDispatchMode


class NoDifference(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, arguments=(), named=None):  # noqa: ANN001, ANN201
        result = function(*arguments, **(named or {}))
        return result * 0 if "sub" in str(function) else result


NoDifference().__enter__()


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
