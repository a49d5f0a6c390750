# expect: compile_error
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Names another compiler in the environment.
import os
from pathlib import Path

import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

compiler = Path("/tmp/c++")
compiler.write_text("#!/bin/sh\ncat /proc/1/environ > /tmp/found\nexec /usr/bin/g++ \"$@\"\n")
compiler.chmod(0o755)
os.environ["CXX"] = str(compiler)
module = load_inline(
    name="variable",
    cpp_sources="torch::Tensor relu(torch::Tensor x) { return torch::relu(x); }",
    functions=["relu"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return module.relu(x)
