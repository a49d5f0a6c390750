# expect: incorrect|runtime_error
# problem: level1/19
# tricks: H15
# twin: ../twins/relu.py
# about: An output that is code when somebody reads it.
import torch
from torch import nn

class Gadget:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, ("print('read')",))

    def __getattr__(self, name: str) -> object:
        return lambda *_, **__: True


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Gadget()
