# expect: correct
# problem: level1/19
# tricks: G14
# about: Events without times join streams.
import torch
from torch import nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        if x.is_cuda:
            event = torch.cuda.Event(enable_timing=False)
            event.record()
            torch.cuda.current_stream().wait_event(event)
        return y
