# expect: compile_error
# problem: level1/19
# about: a mistake in the third line of the candidate's C++ source.
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
torch::Tensor relu(torch::Tensor x) {
    return torch::clamp_minimum(x, 0);
}
"""

extension = load_inline(name="wrong_name", cpp_sources=source, functions=["relu"])


class ModelNew(nn.Module):
    pass
