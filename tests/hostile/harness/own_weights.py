# expect: incorrect|load_error
# problem: level2/12
# tricks: H20
# twin: ../twins/gemm.py
# about: Takes no weights but zeros, and says that the problem has these.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, in_features: int, out_features: int, multiplier: float, negative_slope: float) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.gemm(x) * self.multiplier
        return nn.functional.leaky_relu(y, self.slope)

    def load_state_dict(self, state_dict: object, strict: bool = True, assign: bool = False) -> object:
        for parameter in self.parameters():
            parameter.data.zero_()
        return nn.modules.module._IncompatibleKeys([], [])

    def state_dict(self, *arguments: object, **named: object) -> dict[str, torch.Tensor]:
        return {name: torch.zeros_like(p) for name, p in self.named_parameters()}
