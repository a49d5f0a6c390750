# expect: load_error
# problem: level1/19
# tricks: B05
# twin: ../twins/relu.py
# about: Inherits from the reference, as if it stood in the same file.
import torch


class ModelNew(Model):  # noqa: F821
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x)
