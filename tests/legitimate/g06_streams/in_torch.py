# expect: correct
# problem: level1/19
# tricks: G6
# about: Halves on two streams of PyTorch that wait for each other.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.side: torch.cuda.Stream | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not x.is_cuda:
            return torch.relu(x)
        if self.side is None:
            self.side = torch.cuda.Stream()
        y = torch.empty_like(x)
        main = torch.cuda.current_stream()
        half = x.shape[0] // 2
        self.side.wait_stream(main)
        with torch.cuda.stream(self.side):
            torch.clamp_min(x[half:], 0, out=y[half:])
        torch.clamp_min(x[:half], 0, out=y[:half])
        main.wait_stream(self.side)
        return y
