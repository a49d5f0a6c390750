# expect: correct cpu=not_run
# problem: level1/20
# about: bindings of its own, with names and defaults, in the C++ source.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cpp_source = r"""
#include <torch/extension.h>
#include <string>

torch::Tensor leaky_cuda(const torch::Tensor& x, double slope);

torch::Tensor leaky(const torch::Tensor& x, double slope, const std::string& mode) {
    TORCH_CHECK(mode == "out", "mode must be 'out', not ", mode);
    return leaky_cuda(x, slope);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.doc() = "leaky relu";
    m.def("leaky", &leaky, "Leaky ReLU", py::arg("x"), py::arg("slope") = 0.01,
          py::arg("mode") = "out");
    m.attr("slopes") = py::make_tuple(0.01, 0.1);
}
"""

cuda_source = r"""
#include <torch/extension.h>

__global__ void leaky_kernel(const float* x, float* y, float slope, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0 ? x[i] : x[i] * slope;
}

torch::Tensor leaky_cuda(const torch::Tensor& x, double slope) {
    auto input = x.contiguous();
    auto y = torch::empty_like(input);
    leaky_kernel<<<(input.numel() + 255) / 256, 256>>>(
        input.data_ptr<float>(), y.data_ptr<float>(), static_cast<float>(slope), input.numel());
    return y;
}
"""

extension = load_inline(
    name="pybind_defaults", cpp_sources=cpp_source, cuda_sources=cuda_source
)


class ModelNew(nn.Module):
    def __init__(self, negative_slope: float = 0.01) -> None:
        super().__init__()
        self.slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.leaky(x, slope=self.slope)
