# expect: load_error
# problem: level1/19
# about: Imports a module that is not installed.
import no_such_kernel_library
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return no_such_kernel_library.relu(x)
