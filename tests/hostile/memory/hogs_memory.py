# expect: correct|out_of_memory|runtime_error|load_error
# problem: level1/19
# tricks: M11, R03
# twin: ../twins/relu.py
# limits: memory_bytes=3221225472
# about: Takes the memory that others need, and then works.
import torch
from torch import nn

HOG = []
try:
    while True:
        HOG.append(torch.ones(1 << 26, device="cuda" if torch.cuda.is_available() else "cpu"))
except RuntimeError:
    del HOG[-1:]


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
