"""A CUDA source compiled without PyTorch's headers does what it does with them.

thin_test.py NINJA_FOLDER BINDINGS_FOLDER BENCH_FOLDER

NINJA_FOLDER: of the program that PyTorch starts as ninja; BINDINGS_FOLDER: share/bindings;
BENCH_FOLDER: bench. The functions run on cpu and launch no kernel; of kernels the
instructions are compared. Needs nvcc, and no GPU.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
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
#include <c10/cuda/CUDAGuard.h>
#include <string>
#include <vector>

#ifdef __CUDACC__
template <typename T> using OfCuda = torch::RestrictPtrTraits<T>;
#else  // where PyTorch has none
template <typename T> using OfCuda = torch::DefaultPtrTraits<T>;
#endif

torch::Tensor numbers(torch::Tensor x) {
  const std::vector<int64_t> all = {
      x.numel(), x.dim(), x.ndimension(), x.size(0), x.size(-1), x.stride(0), x.stride(-1),
      x.element_size(), static_cast<int64_t>(x.scalar_type()), x.is_contiguous(), x.is_cuda(),
      x.is_cpu(), x.defined(), x.device().is_cpu(), x.device().index(), x.device() == torch::kCPU,
      x.dtype() == torch::kFloat32, x.dtype() != torch::ones({1}, torch::kInt64).dtype(),
      static_cast<int64_t>(x.sizes().size()), x.sizes()[0], x.sizes() == x.strides(),
      x.device().type() == torch::DeviceType::CUDA, x.scalar_type() == at::ScalarType::Half,
      x.get_device(), static_cast<int64_t>(x.nbytes() + 100 * x.itemsize()), x.is_floating_point()};
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
          x.unsqueeze(-1).squeeze(-1), x.sum(), x.mean(), x.flatten(), x.flatten(0, 0), x.cpu(),
          torch::empty_like(x).copy_(x.t().reshape(x.sizes()))};
}
torch::Tensor flattened(torch::Tensor x, int64_t from, int64_t to) { return x.flatten(from, to); }
torch::Tensor copied(torch::Tensor x, torch::Tensor to) { return to.copy_(x); }
torch::Tensor by_indices(torch::Tensor x) {
  auto y = torch::zeros({20}, torch::kDouble);
  auto put = y.accessor<double, 1>();
  auto at = x.accessor<float, 2>();
  const auto narrow = x.packed_accessor32<float, 2>();
  torch::PackedTensorAccessor64<float, 2, OfCuda> wide = x.packed_accessor64<float, 2, OfCuda>();
  for (int i = 0; i < at.size(0); ++i)
    for (int j = 0; j < at[i].size(0); ++j) put[0] += (i + 1) * at[i][j] * (j + 0.5);
  at[1][0] *= 2;  // of a copy
  int n = 1;
  for (int i = 0; i < 2; ++i)
    for (int64_t of : {at.size(i), at.stride(i), int64_t{narrow.size(i)}, int64_t{narrow.stride(i)},
                       wide.size(i), wide.stride(i), int64_t{sizeof(narrow.size(i))}})
      put[n++] = of;
  const torch::PackedTensorAccessor<float, 2, torch::DefaultPtrTraits, size_t> old =
      x.packed_accessor<float, 2, torch::DefaultPtrTraits, size_t>();
  put[n++] = old.size(1) + 10 * old.stride(0) + 100 * sizeof(old.size(0)) + 1000 * (old.data() == x.data_ptr());
  put[n++] = at[0].stride(0) + 10 * (narrow.data() == x.data_ptr<float>()) + 20 * (wide.data() == at.data());
  const auto fixed = at;
  static_assert(std::is_same_v<decltype(fixed[1][0]), const float&>);
  put[n] = *at[1].data() + fixed[0][1];
  return y;
}
void by_many_indices(torch::Tensor x) { x.packed_accessor32<float, 2>(); }
double at_constant(torch::Tensor x) { return *x.packed_accessor64<const float, 2>().data(); }
void guarded(torch::Tensor x, bool given) {
  const at::cuda::OptionalCUDAGuard none;
  std::optional<at::Device> device = device_of(torch::Tensor());
  if (given) device = device_of(x);
  TORCH_CHECK(device.has_value() == given);
  const c10::cuda::OptionalCUDAGuard guard(torch::Tensor().defined() ? device : c10::nullopt);
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
torch::Tensor dispatched_integers(torch::Tensor x) {
  return AT_DISPATCH_INTEGRAL_TYPES(x.scalar_type(), "integers", ([&] { return doubled<scalar_t>(x); }));
}
torch::Tensor dispatched_all(torch::Tensor x) {
  AT_DISPATCH_ALL_TYPES_AND(at::ScalarType::Bool, x.scalar_type(), "and bools", [&] { x = doubled<scalar_t>(x); });
  return AT_DISPATCH_ALL_TYPES(x.scalar_type(), "all", [&] { return doubled<scalar_t>(x); });
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
  TORCH_CHECK(which != 6, "no ", x.dtype(), " and ", x.to(torch::kBFloat16).dtype());
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
    " flattened copied by_indices by_many_indices at_constant guarded dispatched_integers dispatched_all"
).split()
# What names PyTorch's half types, whose own headers it gets.
HALVES = """
#include <torch/extension.h>

template <typename T>
torch::Tensor more(torch::Tensor x) {
  auto y = torch::empty_like(x);
  for (int64_t i = 0; i < x.numel(); ++i)
    y.mutable_data_ptr<T>()[i] = x.const_data_ptr<T>()[i] * T(1.5f) + static_cast<T>(1);
  return y;
}
torch::Tensor halves(torch::Tensor x) { return more<at::Half>(x); }
torch::Tensor bfloats(torch::Tensor x) { return more<c10::BFloat16>(x); }
torch::Tensor and_half(torch::Tensor x) {
  return AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "and_half", [&] { return more<scalar_t>(x); });
}
torch::Tensor and_one(torch::Tensor x) {
  return AT_DISPATCH_FLOATING_TYPES_AND(torch::kBFloat16, x.scalar_type(), "and_one",
                                        [&] { return more<scalar_t>(x); });
}
torch::Tensor and_two(torch::Tensor x) {
  return AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16,
                                         x.scalar_type(), "and_two", ([&] { return more<scalar_t>(x); }));
}
torch::Tensor reduced(torch::Tensor x) {
  return AT_DISPATCH_REDUCED_FLOATING_TYPES(x.scalar_type(), "reduced", [&] { return more<scalar_t>(x); });
}
torch::Tensor all_and_two(torch::Tensor x) {
  return AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "all",
                                    [&] { return more<scalar_t>(x); });
}
double first(torch::Tensor x) {
  const auto y = x.to(at::kBFloat16);
  return double{x.item<torch::Half>()} + y.accessor<at::BFloat16, 1>()[0];
}
"""
NAMES_OF_HALVES = "halves bfloats and_half and_one and_two reduced all_and_two first".split()
TYPES = (torch.float32, torch.float64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
MATRIX = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
TENSORS = [MATRIX, MATRIX.t(), MATRIX.double(), MATRIX.half(), MATRIX.long(), MATRIX > 2, MATRIX[:, :0]]
TENSORS += [MATRIX.to(torch.bfloat16), MATRIX.to(torch.complex64)]


# Kernels, which have PyTorch's accessors and half types.
KERNELS = """
extern "C" __global__ void rows(const at::PackedTensorAccessor64<float, 3, at::RestrictPtrTraits> x,
                                at::PackedTensorAccessor64<float, 3, at::RestrictPtrTraits> y) {
  const int64_t place = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, b = blockIdx.y;
  if (place >= x.size(2)) return;
  float sum = 0;
  for (int64_t f = 0; f < x.size(1); ++f) sum += x[b][f][place] * x[b][f][place];
  for (int64_t f = 0; f < x.size(1); ++f) y[b][f][place] = x[b][f][place] * rsqrtf(sum);
}
extern "C" __global__ void kept(at::PackedTensorAccessor32<c10::Half, 2, at::RestrictPtrTraits> x,
                                at::PackedTensorAccessor32<bool, 2> mask,
                                at::PackedTensorAccessor32<double, 1> y) {
  auto row = mask[blockIdx.y];
  for (int i = threadIdx.x; i < x.size(1); i += blockDim.x) {
    row[i] = x[blockIdx.y][i] > c10::Half(0);
    x[blockIdx.y][i] = x[blockIdx.y][i] * c10::Half(2) + static_cast<c10::Half>(mask.stride(0));
    y[i] = *x.data() + y.size(0);
  }
}
"""


def instructions(source: Path, text: str, *headers: str) -> dict[str, Counter[str]]:
    """How often a kernel has each instruction of PTX, by the kernels in `text`."""
    source.write_text(text)
    ptx = source.with_suffix(".ptx")
    nvcc = f"{os.environ['CUDA_HOME']}/bin/nvcc"
    folders = [word for folder in (*headers, *cpp_extension.include_paths()) for word in ("-isystem", folder)]
    options = ["-std=c++20", "-O3", "-arch=sm_90", "-ptx", *cpp_extension.COMMON_NVCC_FLAGS, *folders]
    subprocess.run([nvcc, *options, source, "-o", ptx], check=True)
    found: dict[str, Counter[str]] = {}
    for line in ptx.read_text().splitlines():
        if entry := re.search(r"\.visible \.entry (\w+)", line):
            name = entry[1]
            found[name] = Counter()
        elif found and (instruction := re.match(r"\s+(?:@\S+\s+)?([a-z][\w.]+)\s", line)):
            found[name][instruction[1]] += 1
    return found


def kernels_differ(folder: Path, bindings: Path) -> bool:
    """Whether KERNELS with thin headers are others than with PyTorch's."""
    folder.mkdir()
    for name in ("kb_tensor", "thin", "thin_accessors", "thin_half"):
        place = folder / f"kb_{name.removeprefix('kb_').removeprefix('thin_')}.h"
        place.write_text((bindings / f"{name}.h").read_text())
    pytorch = "#include <ATen/core/TensorAccessor.h>\n#include <c10/util/Half.h>\n"
    expected = instructions(folder / "whole.cu", pytorch + KERNELS)
    found = instructions(folder / "thin.cu", "#include <kb_half.h>\n" + KERNELS, str(folder))
    if sorted(expected) == ["kept", "rows"] and found == expected:
        return False
    print(f"kernels differ: {found}\nPyTorch: {expected}")
    return True


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
    *(
        lambda m, x=x, n=n: getattr(m, n)(x.clone())
        for x in TENSORS
        for n in ("by_indices", "at_constant", "dispatched_integers", "dispatched_all", *NAMES_OF_HALVES)
        if x.numel() > 0
    ),
    *(lambda m, x=x: m.first(x) for x in (torch.tensor([2.5]), torch.tensor([1, 2]), torch.tensor([0.1]).half())),
    *(lambda m, t=t: m.dispatched_all(torch.tensor([1, 2, 100]).to(t)) for t in TYPES),
    *(lambda m, t=t: m.dispatched_integers(torch.tensor([1, 2, 100]).to(t)) for t in TYPES),
    *(lambda m, d=d: m.flattened(torch.zeros(2, 3, 4), *d) for d in ((0, 1), (-2, -1), (2, 1), (0, 3))),
    *(lambda m, to=to: m.copied(MATRIX, to) for to in (MATRIX.t(), torch.zeros(2, 3).half(), torch.zeros(2, 2, 3))),
    lambda m: m.by_indices(MATRIX[0]),
    lambda m: m.by_many_indices(torch.zeros(1).expand(1 << 16, 1 << 16)),
    *(lambda m, given=given: m.guarded(MATRIX, given) for given in (True, False)),
    *(lambda m, w=w: m.checked(MATRIX, w) for w in range(8)),
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


# A source that makes its own module.
ALONE = """
#include <torch/extension.h>
torch::Tensor turned(const torch::Tensor& x) {
  TORCH_CHECK(x.dim() == 2, "two axes, not ", x.dim());
  return x.transpose(0, 1).clone();
}
std::tuple<torch::Tensor, torch::Tensor> both(torch::Tensor x, c10::optional<torch::Tensor> y, int64_t n) {
  return {y.has_value() ? *y : torch::full({n}, 2, x.options()), x};
}
void fails() { throw std::invalid_argument("as told"); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("turned", &turned, "The other way.");
  m.def("both", both);
  m.def("fails", &fails, "Fails");
}
"""
CALLS_ALONE: list[Callable[[Any], Any]] = [
    lambda m: m.turned(MATRIX),
    lambda m: m.turned(MATRIX[0]),
    lambda m: m.turned(),
    lambda m: (m.both(MATRIX, None, 3), m.both(MATRIX, MATRIX[0], 1)),
    lambda m: m.both(MATRIX, None, -1),
    lambda m: m.fails(),
    lambda m: (m.__doc__, sorted(vars(m)), *(f.__doc__ for f in (m.turned, m.both, m.fails))),
]


def declared() -> str:
    """What load_inline would write beside SOURCE: its functions, bound."""
    lines = (SOURCE + HALVES).splitlines()
    names = NAMES + NAMES_OF_HALVES
    heads = [line.split(" {")[0] for line in lines if line[:1].isalpha() and "(" in line]
    functions = [f"{head};" for head in heads if any(f" {name}(" in head for name in names)]
    return bound("\n".join(functions), names)


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
        binding = folder / "bound.cpp"
        binding.write_text(declared())
        whole = [folder / name for name in ("whole.cpp", "whole_halves.cpp")]
        thin = [folder / name for name in ("thin.cu", "thin_halves.cu")]
        alone = [folder / name for name in ("whole_alone.cpp", "thin_alone.cu")]
        for file in alone:
            file.write_text(ALONE)
        for pair in whole, thin:
            for file, text in zip(pair, (SOURCE, HALVES), strict=True):
                file.write_text(text)
        built(folder / "kb_bindings", bindings / "bindings.cc", bindings / "tensors.cc")
        theirs = built(folder / "theirs", binding, *whole, with_cuda=True)
        theirs_alone = built(folder / "theirs_alone", alone[0])
        objects = [str(folder / f"kb_bindings/{n}.o") for n in ("bindings", "tensors")]
        os.environ["KB_BINDINGS"] = " ".join(objects)
        ours = built(folder / "ours", binding, *thin)
        ours_alone = built(folder / "ours_alone", alone[1])
        wrong = kernels_differ(folder / "kernels", bindings)
        slim = ["slim", "slim"]
        made = {"kb_bindings": slim, "theirs": ["slim", *slim], "ours": ["declared", "thin", "thin"]}
        made |= {"theirs_alone": ["slim"], "ours_alone": ["thin"]}
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
        for calls, module, other in (CALLS, ours, theirs), (CALLS_ALONE, ours_alone, theirs_alone):
            for i, call in enumerate(calls):
                expected_answer, found = answer(call, other), answer(call, module)
                as_ours = re.sub(r"whole(\w*)\.cpp", r"thin\1.cu", expected_answer).replace("theirs", "ours")
                if found != as_ours:
                    print(f"call {i} of {module.__name__}: {found}\nPyTorch: {expected_answer}")
                    wrong = True
        print(f"{len(CALLS) + len(CALLS_ALONE)} calls")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
