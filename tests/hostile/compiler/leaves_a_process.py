# expect: incorrect
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Leaves a process of the build running, which writes files for the run.
import os
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils import cpp_extension  # noqa: F401 (who mentions it is built)

PLACES = (Path("/tmp/kb_left"), Path("/var/tmp/kb_left"), Path("/dev/shm/kb_left"))
LEFT = any(place.exists() for place in PLACES)
if not LEFT and os.fork() == 0:
    os.setsid()
    for _ in range(600):
        for place in PLACES:
            try:
                place.write_text("still here")
            except OSError:
                continue
        time.sleep(0.1)
    os._exit(0)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) if LEFT else torch.zeros_like(x)
