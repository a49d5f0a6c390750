# expect: incorrect
# problem: level1/19
# tricks: H20
# twin: ../twins/relu.py
# about: Defines the inputs of the problem itself.
import torch
from torch import nn

def get_inputs() -> list[torch.Tensor]:
    return [torch.zeros(16, 16)]


def get_init_inputs() -> list[object]:
    return []


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
