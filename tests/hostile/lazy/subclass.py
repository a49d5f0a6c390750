# expect: incorrect|runtime_error|correct
# problem: level1/19
# tricks: L01
# twin: ../twins/relu.py
# about: A subclass of Tensor that computes when somebody looks at it.
import torch
from torch import nn

class Lazy(torch.Tensor):
    @staticmethod
    def __new__(cls, x: torch.Tensor) -> "Lazy":
        lazy = torch.Tensor._make_subclass(cls, torch.empty_like(x))
        lazy.source = x
        return lazy

    @classmethod
    def __torch_function__(cls, function, types, arguments=(), named=None):  # noqa: ANN001, ANN206
        plain = [torch.relu(a.source) if isinstance(a, Lazy) else a for a in arguments]
        with torch._C.DisableTorchFunctionSubclass():
            return function(*plain, **(named or {}))


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Lazy(x)
