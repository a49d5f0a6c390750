# expect: incorrect|correct
# problem: level1/19
# tricks: C11
# twin: ../twins/relu.py
# about: Leaves its answers in files for later processes.
from pathlib import Path

import torch
from torch import nn

FOLDERS = ("/dev/shm", "/tmp", str(Path.home()), "/var/tmp")


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for folder in FOLDERS:
            path = Path(folder) / "answer.pt"
            try:
                if path.exists():
                    return torch.load(path).to(x.device)
                torch.save(torch.relu(x), path)
            except OSError:
                continue
        return torch.relu(x)
