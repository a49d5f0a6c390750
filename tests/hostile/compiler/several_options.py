# expect: load_error|compile_error|incorrect|rejected
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Gives the compiler options that run programs and replace functions.
from torch.utils.cpp_extension import load_inline

import torch
from torch import nn

patch = load_inline(
    name="options",
    cpp_sources="torch::Tensor zeros(torch::Tensor x) { return torch::zeros_like(x); }",
    functions=["zeros"],
    extra_cflags=["-fplugin=/tmp/plugin.so", "-wrapper", "/bin/true"],
    extra_ldflags=["-Wl,--wrap=memcmp", "-Wl,-rpath,/tmp"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return patch.zeros(x)
