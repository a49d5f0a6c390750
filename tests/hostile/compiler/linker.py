# expect: compile_error
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Gives the linker a file of the machine, and another linker.
import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

module = load_inline(
    name="linker",
    cpp_sources="torch::Tensor relu(torch::Tensor x) { return torch::relu(x); }",
    functions=["relu"],
    extra_ldflags=["-lm", "-Wl,-rpath,/usr/lib,--version-script=/etc/passwd", "-fuse-ld=/bin/cat"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return module.relu(x)
