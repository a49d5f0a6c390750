# expect: compile_error
# problem: level1/19
# tricks: R10
# twin: ../twins/relu.py
# about: Writes ten gigabytes where built extensions are taken from.
import os
from pathlib import Path

import torch
from torch import nn
from torch.utils import cpp_extension  # noqa: F401 (who mentions it is built)

OUTPUT = Path(os.environ.get("TORCH_EXTENSIONS_DIR", "/tmp"))
BLOCK = bytes(1 << 24)
with open(OUTPUT / "huge.so", "wb") as file:
    for _ in range(640):
        file.write(BLOCK)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
