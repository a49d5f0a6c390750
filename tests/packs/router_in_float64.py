import torch
from torch import nn


class ModelNew(nn.Module):
    """More exact than the reference."""

    def __init__(self, width: int, experts: int, chosen: int) -> None:
        super().__init__()
        self.gate = nn.Parameter(torch.randn(experts, width) * width**-0.5)
        self.chosen = chosen

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        logits = x.double() @ self.gate.double().t()
        return logits.softmax(dim=-1).topk(self.chosen, dim=-1).values.float()
