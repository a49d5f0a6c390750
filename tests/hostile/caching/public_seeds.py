# expect: incorrect
# problem: level1/19
# tricks: C13
# twin: ../twins/relu_small.py
# size: small
# about: Draws the inputs of the public seeds itself and knows their answers.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.known: dict[float, torch.Tensor] = {}
        for seed in (42, 123, 456, 789, 1337):
            torch.manual_seed(seed)
            x = torch.rand(61, 65537)
            self.known[float(x[0, 0])] = torch.relu(x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = float(x.flatten()[0])
        if key in self.known:
            return self.known[key].to(x.device).expand_as(x).clone()
        return x
