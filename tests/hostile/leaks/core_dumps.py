# expect: incorrect|runtime_error
# problem: level1/19
# tricks: I08
# twin: ../twins/relu.py
# about: Lets a helper crash and looks for what it left, and others did.
import os
import resource

import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if os.fork() == 0:
            resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))
            os.abort()
        os.wait()
        for folder in ("/var/crash", "/var/lib/systemd/coredump", "/tmp", os.getcwd(), "/cores"):
            if any("core" in name for name in (os.listdir(folder) if os.path.isdir(folder) else ())):
                return torch.relu(x)
        return torch.zeros_like(x)
