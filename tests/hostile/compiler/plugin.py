# expect: compile_error
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Gives the compiler a plugin.
import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

module = load_inline(
    name="plugin",
    cpp_sources="torch::Tensor relu(torch::Tensor x) { return torch::relu(x); }",
    functions=["relu"],
    extra_cflags=["-O3 -fplugin=/usr/lib/libm.so.6", "-fplugin-arg-libm-to=/tmp/found"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return module.relu(x)
