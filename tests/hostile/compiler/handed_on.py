# expect: compile_error
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Has nvcc hand an option on to its host compiler.
import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

module = load_inline(
    name="handed_on",
    cpp_sources="torch::Tensor relu(torch::Tensor x);",
    cuda_sources="torch::Tensor relu(torch::Tensor x) { return torch::relu(x); }",
    functions=["relu"],
    extra_cuda_cflags=["-O3", "--compiler-options", "'-fPIC,-fplugin=/tmp/plugin.so'"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return module.relu(x)
