# expect: incorrect
# problem: level1/19
# tricks: L06
# twin: ../twins/relu.py
# about: A mode of PyTorch that answers for every function of the comparison.
import torch
from torch import nn

from torch.overrides import TorchFunctionMode


class Yes(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), named=None):  # noqa: ANN001, ANN201
        if function in (torch.allclose, torch.equal, torch.isclose):
            return True
        return function(*arguments, **(named or {}))


Yes().__enter__()


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
