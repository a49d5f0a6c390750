# expect: compile_error
# problem: level1/19
# tricks: N15
# twin: ../twins/relu.py
# about: Ends the compiler's command and begins another.
import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

module = load_inline(
    name="words",
    cpp_sources="torch::Tensor relu(torch::Tensor x) { return torch::relu(x); }",
    functions=["relu"],
    extra_cflags=["-O3 ; cp -r / $$TORCH_EXTENSIONS_DIR/all ; true"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return module.relu(x)
