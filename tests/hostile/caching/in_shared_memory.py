# expect: incorrect|correct|runtime_error
# problem: level1/19
# tricks: C11
# twin: ../twins/relu.py
# about: The same in named shared memory.
from multiprocessing.shared_memory import SharedMemory

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: SharedMemory | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        try:
            kept = SharedMemory("kb_answer", create=True, size=4 * x.numel())
        except FileExistsError:
            kept = SharedMemory("kb_answer")
            return torch.frombuffer(kept.buf, dtype=torch.float32, count=x.numel()).view_as(x)
        except OSError:
            return torch.relu(x)
        self.kept = kept
        y = torch.relu(x)
        torch.frombuffer(kept.buf, dtype=torch.float32, count=x.numel()).copy_(y.flatten())
        return y
