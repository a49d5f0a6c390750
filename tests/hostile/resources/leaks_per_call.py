# expect: correct|out_of_memory|runtime_error
# problem: level1/19
# tricks: R03
# twin: ../twins/relu.py
# limits: memory_bytes=3221225472
# about: Keeps another block with every call.
import torch
from torch import nn

HOG: list[torch.Tensor] = []


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        HOG.append(torch.ones(1 << 26, device=x.device))
        return torch.relu(x)
