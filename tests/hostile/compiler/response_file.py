# expect: compile_error
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Hides options in a file, where a folder should be named.
from pathlib import Path

import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

options = Path("/tmp/options")
options.write_text("-fplugin=/tmp/plugin.so -B /tmp")
module = load_inline(
    name="options",
    cpp_sources="torch::Tensor relu(torch::Tensor x) { return torch::relu(x); }",
    functions=["relu"],
    extra_include_paths=["/usr/include"],
    extra_cflags=["-I", f"@{options}"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return module.relu(x)
