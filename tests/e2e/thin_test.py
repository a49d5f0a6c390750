"""A CUDA source compiled without PyTorch's headers does what it does with them.

thin_test.py NINJA_FOLDER BINDINGS_FOLDER BENCH_FOLDER

NINJA_FOLDER: of the program that PyTorch starts as ninja; BINDINGS_FOLDER: share/bindings;
BENCH_FOLDER: bench. The functions run on cpu and launch no kernel. Needs nvcc, and no GPU.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import extensions
import torch
from extensions import answer, bound, built, headers_used
from torch.utils import cpp_extension

# Compiled by g++ with PyTorch's own headers, and by nvcc with thin.h.
SOURCE = """
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
#include <string>
#include <vector>

torch::Tensor numbers(torch::Tensor x) {
  const std::vector<int64_t> all = {
      x.numel(), x.dim(), x.ndimension(), x.size(0), x.size(-1), x.stride(0), x.stride(-1),
      x.element_size(), static_cast<int64_t>(x.scalar_type()), x.is_contiguous(), x.is_cuda(),
      x.is_cpu(), x.defined(), x.device().is_cpu(), x.device().index(), x.device() == torch::kCPU,
      x.dtype() == torch::kFloat32, x.dtype() != torch::ones({1}, torch::kInt64).dtype(),
      static_cast<int64_t>(x.sizes().size()), x.sizes()[0], x.sizes() == x.strides(),
      x.device().type() == torch::DeviceType::CUDA, x.scalar_type() == at::ScalarType::Half};
  auto found = torch::empty({static_cast<int64_t>(all.size())}, torch::kLong);
  for (size_t i = 0; i < all.size(); ++i) found.data_ptr<int64_t>()[i] = all[i];
  return found;
}
int64_t size_at(const torch::Tensor& x, int64_t dimension) { return x.size(dimension); }
int64_t stride_at(const torch::Tensor& x, int64_t dimension) { return x.stride(dimension); }
std::vector<torch::Tensor> made(torch::Tensor x) {
  const auto wide = x.options().dtype(torch::kFloat64);
  return {torch::zeros({2, 3}, x.options()),
          torch::ones({2}, torch::dtype(torch::kInt32)),
          torch::zeros_like(x),
          at::ones_like(x, wide),
          torch::zeros(x.sizes(), torch::TensorOptions().dtype(x.dtype()).device(x.device())),
          torch::ones(x.sizes().vec(), torch::device(torch::kCPU).dtype(torch::kUInt8)),
          torch::zeros({}), torch::zeros(3), torch::ones({0, 4}, torch::kBool),
          torch::zeros_like(torch::empty_like(x)),
          at::zeros({x.size(0), 1}, at::TensorOptions(at::kCPU).dtype(at::kHalf)),
          torch::full({2}, 7, x.options()), torch::full({2, 1}, -INFINITY, wide),
          torch::full({2}, 3), torch::full({1}, 2.5f), torch::full({1}, true), x.clone().fill_(2)};
}
torch::Tensor of_size(int64_t size) { return torch::zeros({size}); }
std::vector<torch::Tensor> changed(torch::Tensor x) {
  return {x.contiguous(), x.clone(), x.reshape({-1}), x.transpose(0, -1), x.t(),
          x.to(torch::kFloat64), x.to(torch::kInt), x.permute({1, 0}), x.unsqueeze(0),
          x.unsqueeze(-1).squeeze(-1), x.sum(), x.mean()};
}
torch::Tensor viewed(torch::Tensor x, int64_t rows) { return x.view({rows, -1}); }
torch::Tensor averaged(torch::Tensor x) { return x.mean(); }
void cleared(torch::Tensor x) { x.zero_(); }
template <typename T>
torch::Tensor doubled(torch::Tensor x) {
  auto y = torch::empty_like(x);
  for (int64_t i = 0; i < x.numel(); ++i)
    y.mutable_data_ptr<T>()[i] = x.const_data_ptr<T>()[i] + x.data_ptr<T>()[i];
  return y;
}
torch::Tensor floats(torch::Tensor x) { return doubled<float>(x); }
torch::Tensor longs(torch::Tensor x) { return doubled<int64_t>(x); }
torch::Tensor bytes(torch::Tensor x) { return doubled<uint8_t>(x); }
torch::Tensor chars(torch::Tensor x) { return doubled<int8_t>(x); }
torch::Tensor shorts(torch::Tensor x) { return doubled<int16_t>(x); }
torch::Tensor ints(torch::Tensor x) { return doubled<int>(x); }
torch::Tensor doubles(torch::Tensor x) { return doubled<double>(x); }
torch::Tensor bools(torch::Tensor x) { return doubled<bool>(x); }
bool same_place(torch::Tensor x) {
  return x.data_ptr() == x.const_data_ptr<float>() && x.data_ptr() == x.clone().data_ptr();
}
torch::Tensor dispatched(torch::Tensor x) {
  TORCH_CHECK(!x.type().is_cuda() && x.type().scalarType() == x.scalar_type());
  return AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "dispatched",
                                    [&] { return doubled<scalar_t>(x); });
}
double items(torch::Tensor x) { return x.item<double>() + x.item<int>() + x.item<bool>(); }
void cuda_checked(int64_t error) {
  C10_CUDA_CHECK(cudaSuccess);
  C10_CUDA_CHECK(static_cast<cudaError_t>(error));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
void checked(torch::Tensor x, int64_t which) {
  const std::string word = "word";
  TORCH_CHECK(which != 0);
  TORCH_CHECK(which != 1, "only this: %s");
  TORCH_CHECK(which != 2, "of ", x.sizes(), " and ", x.scalar_type(), " on ", x.device(), '!');
  TORCH_CHECK(which != 3, which, " ", 2.5f, " ", 1e-9, " ", which > 0, " ", 7u, " ", word, uint8_t{65});
  if (which == 4) TORCH_CHECK(x.dim() == 9, "a branch")
  else TORCH_CHECK(which != 5, x.sizes().vec().size(), x.strides());
}
std::vector<torch::Tensor> held(torch::Tensor x) {
  torch::Tensor none, other = x, moved = std::move(other);
  std::vector<torch::Tensor> all = {x, moved};
  for (int i = 0; i < 5; ++i) all.push_back(all.back());
  all.resize(3);
  all[2] = none;
  all[1] = all[0];
  all[0] = std::move(all[1]);
  auto& self = all[0];
  all[0] = self;
  none = torch::zeros_like(x);
  all.push_back(none);
  return {all[0], all[3], x};
}
torch::Tensor nothing() { return torch::Tensor(); }
int64_t size_of_nothing() { return torch::Tensor().size(0); }
int64_t dim_of_nothing() { return torch::Tensor().dim() + 10 * torch::Tensor().defined(); }
"""
NAMES = (
    "numbers size_at stride_at made of_size changed viewed averaged cleared floats longs bytes chars shorts"
    " ints doubles bools same_place cuda_checked items dispatched checked held nothing size_of_nothing dim_of_nothing"
).split()
TYPES = (torch.float32, torch.float64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
MATRIX = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
TENSORS = [MATRIX, MATRIX.t(), MATRIX.double(), MATRIX.half(), MATRIX.long(), MATRIX > 2, MATRIX[:, :0]]
TENSORS += [MATRIX.to(torch.bfloat16), MATRIX.to(torch.complex64)]


def references(module: ModuleType) -> tuple[int, ...]:
    """How many hold a tensor before, while and after it is passed around."""
    x = MATRIX.clone()
    before = x._use_count()
    kept = module.held(x)
    meanwhile = x._use_count()
    del kept
    return before, meanwhile, x._use_count()


def cleared(module: ModuleType) -> torch.Tensor:
    """What is left of a tensor."""
    x = MATRIX.clone()
    module.cleared(x)
    return x


CALLS: list[Callable[[Any], Any]] = [
    *(lambda m, x=x, n=n: getattr(m, n)(x) for x in TENSORS for n in ("numbers", "made", "changed")),
    *(lambda m, x=x, n=n: getattr(m, n)(x) for x in TENSORS for n in ("dispatched", "averaged")),
    *(
        lambda m, t=t, n=n: getattr(m, n)(torch.tensor([1, 2, 100]).to(t))
        for t in (*TYPES, torch.bool, torch.float16)
        for n in "floats longs bytes chars shorts ints doubles bools".split()
    ),
    *(lambda m, d=d: (m.size_at(MATRIX, d), m.stride_at(MATRIX, d)) for d in (0, 1, -2, 2, -3)),
    *(lambda m, w=w: m.checked(MATRIX, w) for w in range(7)),
    *(lambda m, w=w: m.viewed(MATRIX, w) for w in (1, 6, 4)),
    lambda m: m.viewed(MATRIX.t(), 6),
    *(lambda m, x=x: m.items(x) for x in (torch.tensor(2.5), torch.tensor([3]), torch.tensor(True))),
    *(lambda m, x=x: m.items(x) for x in (MATRIX, torch.tensor(1e20))),
    *(lambda m, e=e: m.cuda_checked(e) for e in (0, 2, 98, 700)),
    lambda m: m.numbers(torch.tensor(1.0)),
    lambda m: m.made(torch.tensor(1.0)),
    lambda m: m.changed(torch.zeros(2, 2, 2)),
    lambda m: (m.of_size(3), m.of_size(0)),
    lambda m: m.of_size(-1),
    lambda m: m.same_place(MATRIX),
    lambda m: m.made(MATRIX.to_sparse().coalesce().values()),
    lambda m: [t.dtype for t in m.made(MATRIX)],
    lambda m: m.held(MATRIX),
    references,
    cleared,
    lambda m: (m.nothing(), m.dim_of_nothing()),
    lambda m: m.size_of_nothing(),
]


def declared() -> str:
    """What load_inline would write beside SOURCE: its functions, bound."""
    heads = [line.split(" {")[0] for line in SOURCE.splitlines() if line[:1].isalpha() and "(" in line]
    functions = [f"{head};" for head in heads if any(f" {name}(" in head for name in NAMES)]
    return bound("\n".join(functions), NAMES)


def main() -> int:
    """Exit code 0 when all calls are answered alike."""
    extensions.use(sys.argv[1])
    bindings, bench = (Path(folder).resolve() for folder in sys.argv[2:4])
    sys.path.insert(0, str(bench))
    import toolkit

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "CUDA_HOME" not in os.environ:
            os.environ.update(toolkit.beside_python(folder))
            cpp_extension.CUDA_HOME = os.environ.get("CUDA_HOME")
        binding, whole, thin = (folder / n for n in ("bound.cpp", "whole.cpp", "thin.cu"))
        binding.write_text(declared())
        whole.write_text(SOURCE)
        thin.write_text(SOURCE)
        built(folder / "kb_bindings", bindings / "bindings.cc", bindings / "tensors.cc")
        theirs = built(folder / "theirs", binding, whole, with_cuda=True)
        objects = [str(folder / f"kb_bindings/{n}.o") for n in ("bindings", "tensors")]
        os.environ["KB_BINDINGS"] = " ".join(objects)
        ours = built(folder / "ours", binding, thin)
        wrong = False
        slim = ["slim", "slim"]
        made = {"kb_bindings": slim, "theirs": slim, "ours": ["declared", "thin"]}
        for module, expected in made.items():
            lines = headers_used(folder / module)
            if [line.split()[0] for line in lines] != expected:
                print(f"{module} was compiled otherwise: {lines}")
                wrong = True
        command = ["nm", "--demangle", str(folder / "ours/thin.cuda.o")]
        symbols = subprocess.check_output(command, text=True).splitlines()
        for line in symbols:
            if re.search(r" [VWu] (at|c10)::[\w:]+\(", line):
                print(f"a name of PyTorch's is defined: {line}")
                wrong = True
        for i, call in enumerate(CALLS):
            expected_answer, found = answer(call, theirs), answer(call, ours)
            if found != expected_answer.replace("whole.cpp", "thin.cu"):
                print(f"call {i}: {found}\nPyTorch: {expected_answer}")
                wrong = True
        print(f"{len(CALLS)} calls")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
