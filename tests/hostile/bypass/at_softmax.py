# expect: rejected
# problem: level1/23
# tricks: B10
# twin: ../twins/softmax.py
# policy: own-kernels
# about: The operator from C++ of its own.
import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

softmax = load_inline(
    name="at_softmax",
    cpp_sources="""
#include <torch/extension.h>
torch::Tensor work(torch::Tensor x) { return at::softmax(x, 1); }
""",
    functions=["work"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return softmax.work(x)
