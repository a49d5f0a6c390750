# expect: incorrect
# problem: level1/19
# tricks: I01
# twin: ../twins/relu.py
# about: Looks for seeds in the environment and the arguments of all processes.
import re
from pathlib import Path

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for path in Path("/proc").glob("[0-9]*"):
            for name in ("environ", "cmdline"):
                try:
                    text = (path / name).read_bytes()
                except OSError:
                    continue
                for found in re.findall(rb"(?i)seed[=:](\d+)", text):
                    torch.manual_seed(int(found))
                    return torch.relu(torch.rand_like(x))
        return torch.zeros_like(x)
