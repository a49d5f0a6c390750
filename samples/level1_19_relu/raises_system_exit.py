# expect: runtime_error
# problem: level1/19
# about: Exits with status 0; no "except Exception" would catch that.
import sys

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        sys.exit(0)
