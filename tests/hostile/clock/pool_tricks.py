# expect: not_certified|incorrect cpu=correct|runtime_error
# problem: level1/19
# size: small
# twin: twin.py
# about: Returns a tensor of the pool that an earlier call with the same input's
# place has filled, and goes on computing it on a stream of its own.
import torch
from torch import nn

HONEST = 4  # calls of a chain; a short one gains nothing


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, torch.Tensor] = {}  # in the order of calls
        self.late: set[int] = set()
        self.aside: torch.cuda.Stream | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        place = x.data_ptr()
        if place not in self.kept:
            if len(self.kept) >= HONEST:
                self.late.add(place)
            self.kept[place] = torch.relu(x)
            return self.kept[place]
        y = self.kept[place]
        if place not in self.late or self.aside is None:
            self.aside = self.aside or torch.cuda.Stream()
            return torch.clamp_min(x, 0, out=y)
        self.aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.aside):
            torch.clamp_min(x, 0, out=y)
        return y
