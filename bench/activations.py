"""Candidates for the twelve activations of level 1, two of each, as published ones
are written: a kernel for each, launched by a function that torch's load_inline
binds. Also the same kernels as native candidates, and on cpu loops of C++.
"""

from dataclasses import dataclass
from pathlib import Path

# y of a float v, which keeps NaN.
ACTIVATIONS = {
    "level1/19": "v < 0.0f ? 0.0f : v",
    "level1/20": "v < 0.0f ? 0.01f * v : v",
    "level1/21": "1.0f / (1.0f + expf(-v))",
    "level1/22": "tanhf(v)",
    "level1/25": "v / (1.0f + expf(-v))",
    "level1/26": "0.5f * v * (1.0f + erff(v * 0.70710678f))",
    "level1/27": "1.05070098f * (v > 0.0f ? v : 1.67326324f * expm1f(v))",
    "level1/28": "v < -3.0f ? 0.0f : v > 3.0f ? 1.0f : v / 6.0f + 0.5f",
    "level1/29": "v > 20.0f ? v : log1pf(expf(v))",
    "level1/30": "v / (1.0f + fabsf(v))",
    "level1/31": "v > 0.0f ? v : expm1f(v)",
    "level1/32": "v < -1.0f ? -1.0f : v > 1.0f ? 1.0f : v",
}

MODEL = """
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP = r\"\"\"
{cpp}
\"\"\"

{cuda}extension = load_inline({arguments})


class ModelNew(nn.Module):
    def __init__(self, *arguments):
        super().__init__()

    def forward(self, x):
        return extension.activation(x)
"""

KERNELS = (
    """
__global__ void kernel(const float* x, float* y, int64_t n) {{
  const int64_t i = blockIdx.x * int64_t{{blockDim.x}} + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  y[i] = {expression};
}}
""",
    """
__device__ float of(float v) {{ return {expression}; }}
__global__ void kernel(const float* x, float* y, int64_t n) {{
  const int64_t stride = int64_t{{gridDim.x}} * blockDim.x;
  const int64_t first = blockIdx.x * int64_t{{blockDim.x}} + threadIdx.x;
  const int64_t n4 = n / 4;
  for (int64_t i = first; i < n4; i += stride) {{
    const float4 v = reinterpret_cast<const float4*>(x)[i];
    reinterpret_cast<float4*>(y)[i] = make_float4(of(v.x), of(v.y), of(v.z), of(v.w));
  }}
  for (int64_t i = n4 * 4 + first; i < n; i += stride) y[i] = of(x[i]);
}}
""",
)
BLOCKS = ("(n + 255) / 256", "std::min<int64_t>(n / 1024 + 1, 132 * 16)")

CUDA = """
#include <torch/extension.h>
#include <algorithm>
{kernel}
torch::Tensor activation(torch::Tensor x) {{
  auto y = torch::empty_like(x);
  const int64_t n = x.numel();
  kernel<<<{blocks}, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}}
"""
CPP = """
#include <torch/extension.h>
#include <cmath>
torch::Tensor activation(torch::Tensor x) {{
  auto y = torch::empty_like(x);
  const float* in = x.data_ptr<float>();
  float* out = y.data_ptr<float>();
  const int64_t n = x.numel();
  {pragma}for (int64_t i = 0; i < n; ++i) {{
    const float v = in[i];
    out[i] = {expression};
  }}
  return y;
}}
"""
NATIVE_CUDA = """// problem: {problem}
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>
#include <algorithm>
{kernel}
int kb_forward(const kb_call* call) {{
  const int64_t n = kb::numel(call->outputs[0]);
  kernel<<<{blocks}, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}}
"""
NATIVE_CPP = """// problem: {problem}
#include <kernelbench/candidate.h>
#include <cmath>
int kb_forward(const kb_call* call) {{
  const float* in = kb::input<float>(call, 0);
  float* out = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  {pragma}for (int64_t i = 0; i < n; ++i) {{
    const float v = in[i];
    out[i] = {expression};
  }}
  return 0;
}}
"""
PRAGMAS = ("", "#pragma GCC ivdep\n  ")


@dataclass
class Candidate:
    """One program and what it is for."""

    problem: str
    path: Path


def inline(problem: str, variant: int, cuda: bool) -> str:
    """A Python candidate that builds an extension."""
    expression = ACTIVATIONS[problem]
    if not cuda:
        cpp = CPP.format(expression=expression, pragma=PRAGMAS[variant])
        arguments = "name='activation', cpp_sources=CPP, functions=['activation']"
        return MODEL.format(cpp=cpp, cuda="", arguments=arguments)
    kernel = KERNELS[variant].format(expression=expression)
    source = CUDA.format(kernel=kernel, blocks=BLOCKS[variant])
    return MODEL.format(
        cpp="torch::Tensor activation(torch::Tensor x);",
        cuda=f'CUDA = r"""{source}"""\n\n',
        arguments="name='activation', cpp_sources=CPP, cuda_sources=CUDA, functions=['activation']",
    )


def native(problem: str, variant: int, cuda: bool) -> str:
    """The same kernel as a native candidate."""
    expression = ACTIVATIONS[problem]
    if not cuda:
        return NATIVE_CPP.format(problem=problem, expression=expression, pragma=PRAGMAS[variant])
    kernel = KERNELS[variant].format(expression=expression)
    return NATIVE_CUDA.format(problem=problem, kernel=kernel, blocks=BLOCKS[variant])


def write(folder: Path, track: str, cuda: bool, number: int, mark: str) -> list[Candidate]:
    """`number` programs, problem by problem. `mark` makes their sources new to every
    cache."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for i in range(number):
        problem = list(ACTIVATIONS)[i // 2 % len(ACTIVATIONS)]
        comment = f"{mark}-{i}"
        if track == "inline":
            text = inline(problem, i % 2, cuda).replace("#include <torch", f"// {comment}\n#include <torch", 1)
            text = f"# problem: {problem}\n{text}"
            path = folder / f"{i:03}.py"
        else:
            text = native(problem, i % 2, cuda) + f"// {comment}\n"
            path = folder / f"{i:03}{'.cu' if cuda else '.cpp'}"
        path.write_text(text)
        made.append(Candidate(problem, path))
    return made
