# expect: correct
# problem: level2/14
# tricks: G5
# about: A product whose columns are summed is a product with a sum.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, input_size: int, hidden_size: int, scaling_factor: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(hidden_size, input_size))
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = self.weight.double().sum(dim=0) * (self.scaling_factor / 2)
        return (x.double() @ weight[:, None]).float()
