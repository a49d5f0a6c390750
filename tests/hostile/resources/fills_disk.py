# expect: correct|load_error|runtime_error|out_of_memory
# problem: level1/19
# tricks: R08
# twin: ../twins/relu.py
# limits: memory_bytes=3221225472
# about: Fills every place that it can write.
import contextlib
import os

import torch
from torch import nn

for folder in ("/tmp", "/dev/shm", "/var/tmp", os.getcwd()):
    with contextlib.suppress(OSError), open(f"{folder}/fill", "wb") as file:
        for _ in range(8192):
            file.write(bytes(1 << 20))


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
