# expect: correct cpu=not_run
# problem: level1/25
# about: load() of files: two CUDA sources, a C++ source and a header between them.
import os

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load

FILES = {
    "swish.h": "#pragma once\n#include <torch/extension.h>\n"
    "torch::Tensor swish(torch::Tensor x);\ntorch::Tensor gate(torch::Tensor x);\n",
    "swish.cu": """
#include "swish.h"
static __global__ void kernel(const float* x, const float* g, float* y, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * g[i];
}
torch::Tensor swish(torch::Tensor x) {
    auto g = gate(x);
    auto y = torch::empty_like(x);
    kernel<<<(x.numel() + 255) / 256, 256>>>(
        x.data_ptr<float>(), g.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}
""",
    "gate.cu": """
#include "swish.h"
static __global__ void kernel(const float* x, float* y, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1.0f / (1.0f + expf(-x[i]));
}
torch::Tensor gate(torch::Tensor x) {
    auto y = torch::empty_like(x);
    kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}
""",
    "bind.cpp": """
#include "swish.h"
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("swish", &swish, "x * sigmoid(x)"); }
""",
}
folder = os.path.join(os.environ.get("TORCH_EXTENSIONS_DIR", "/tmp"), "from_files_sources")
os.makedirs(folder, exist_ok=True)
for name, text in FILES.items():
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        with open(path, "w") as file:
            file.write(text)

extension = load(
    name="from_files",
    sources=[os.path.join(folder, name) for name in ("bind.cpp", "swish.cu", "gate.cu")],
    extra_cflags=["-O2"],
    extra_cuda_cflags=["-O2"],
    verbose=False,
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.swish(x)
