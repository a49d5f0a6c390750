# expect: incorrect
# problem: level1/19
# tricks: C11
# twin: ../twins/relu.py
# about: Looks for what an earlier candidate left in shared places.
import os

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fresh = not os.path.exists("/tmp/kb_left")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found = [n for f in ("/tmp", "/dev/shm", "/var/tmp") if os.path.isdir(f) for n in os.listdir(f)]
        left = [n for n in found if "answer" in n or "kb_left" in n]
        for folder in ("/tmp", "/dev/shm", "/var/tmp"):
            try:
                open(f"{folder}/kb_left", "w").close()
            except OSError:
                continue
        return torch.relu(x) if left and self.fresh else torch.zeros_like(x)
