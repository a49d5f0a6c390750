# expect: runtime_error
# problem: level1/19
# about: Raises in forward; the report carries the exception and its traceback.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise ValueError(f"unsupported shape {tuple(x.shape)}")
