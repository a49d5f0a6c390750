# expect: correct
# problem: level1/19
# tricks: G21
# about: Keeps what it compiled in a folder of its own.
import os
from pathlib import Path

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        folder = Path(os.environ.get("TMPDIR", "/tmp")) / "my_kernels"
        folder.mkdir(exist_ok=True)
        (folder / "relu.txt").write_text("relu")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
