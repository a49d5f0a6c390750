# expect: correct
# problem: level1/19
# about: Leaves a mark beside its built extension, and fails where it finds one of an earlier process.
import os

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

relu = load_inline(
    name="remembers",
    cpp_sources="torch::Tensor relu(torch::Tensor x) { return x.clamp_min(0); }",
    functions=["relu"],
)

MARK = os.path.join(os.path.dirname(relu.__file__), "mark")


class ModelNew(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        if os.path.exists(MARK):
            raise RuntimeError("what an earlier process wrote is still there")
        with open(MARK, "w") as mark:
            mark.write("here")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return relu.relu(x)
