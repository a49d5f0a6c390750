# expect: correct cuda=correct|not_run
# problem: level1/19
# tricks: G1
# about: A captured graph whose input is copied into a buffer of its own.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.graph: torch.cuda.CUDAGraph | None = None
        self.x = self.y = torch.empty(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not x.is_cuda:
            return torch.relu(x)
        if self.graph is None:
            self.x = x.clone()
            torch.relu(self.x)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.y = torch.relu(self.x)
        self.x.copy_(x)
        self.graph.replay()
        return self.y.clone()
