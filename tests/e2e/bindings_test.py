"""Modules whose bindings were compiled once for all are those that PyTorch makes.

bindings_test.py NINJA_FOLDER BINDINGS_FOLDER

NINJA_FOLDER: of the program that PyTorch starts as ninja; BINDINGS_FOLDER: share/bindings.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import extensions
import torch
from extensions import answer, bound, built, headers_used, plainly_bound

DECLARED = """
torch::Tensor relu(torch::Tensor x);
torch::Tensor scaled(const torch::Tensor& x, double by, int64_t plus, bool really = true);
std::vector<torch::Tensor> swapped(torch::Tensor a, at::Tensor b);
std::vector<torch::Tensor> reversed(std::vector<torch::Tensor> all);
torch::Tensor last(const std::vector<torch::Tensor>& all);
void fill(torch::Tensor& x, int a, float b);
int64_t many(torch::Tensor x);
int few(int a, bool b);
double half(float x);
float third(double x);
bool is_odd(const int64_t x);
torch::Tensor nothing();
void refuse(int which);
torch::Tensor plus(torch::Tensor x, c10::optional<torch::Tensor> bias, const std::optional<at::Tensor>& more);
std::optional<torch::Tensor> positive(torch::Tensor x);
std::tuple<torch::Tensor, torch::Tensor> halves(torch::Tensor x);
std::tuple<at::Tensor, at::Tensor, torch::Tensor> three(torch::Tensor x, double by);
std::tuple<torch::Tensor, torch::Tensor, torch::Tensor, torch::Tensor> four(torch::Tensor x, int64_t by);
torch::Tensor shaped(torch::Tensor x, std::vector<int64_t> sizes);
std::vector<int64_t> sizes(const torch::Tensor& x, const std::vector<int64_t>& more);
torch::Tensor sum(double a, float b, int c, int64_t d, bool e, double f, double g, float h,
                  double i, double j, double k, int l, int64_t m, torch::Tensor n, torch::Tensor o);
"""
DEFINED = """
#include <torch/extension.h>
torch::Tensor relu(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 1, "one axis, not ", x.dim());
  x = x.relu();
  return x;
}
torch::Tensor scaled(const torch::Tensor& x, double by, int64_t plus, bool really) {
  return really ? x * by + plus : x;
}
std::vector<torch::Tensor> swapped(torch::Tensor a, at::Tensor b) { return {b, a}; }
std::vector<torch::Tensor> reversed(std::vector<torch::Tensor> all) {
  return {all.rbegin(), all.rend()};
}
torch::Tensor last(const std::vector<torch::Tensor>& all) { return all.at(all.size() - 1); }
void fill(torch::Tensor& x, int a, float b) {
  if (a < 0) throw std::runtime_error("negative");
  x.fill_(a + b);
}
int64_t many(torch::Tensor x) { return x.numel() << 33; }
int few(int a, bool b) { return b ? a : -a; }
double half(float x) { return x / 2; }
float third(double x) { return x / 3; }
bool is_odd(const int64_t x) { return x % 2 != 0; }
torch::Tensor nothing() { return {}; }
void refuse(int which) {
  TORCH_CHECK_INDEX(which != 0, "an index");
  TORCH_CHECK_TYPE(which != 1, "a type");
  TORCH_CHECK_VALUE(which != 2, "a value");
  TORCH_CHECK_NOT_IMPLEMENTED(which != 3, "not there");
  if (which == 4) throw std::out_of_range("out of range");
  if (which == 5) throw std::domain_error("another domain");
  if (which == 6) throw which;
  if (which == 7) throw std::bad_alloc();
}
torch::Tensor plus(torch::Tensor x, c10::optional<torch::Tensor> bias,
                   const std::optional<at::Tensor>& more) {
  if (bias.has_value()) x = x + *bias;
  return more ? x + 10 * more.value() : x;
}
std::optional<torch::Tensor> positive(torch::Tensor x) {
  if ((x > 0).all().item<bool>()) return x;
  return std::nullopt;
}
std::tuple<torch::Tensor, torch::Tensor> halves(torch::Tensor x) {
  if (x.size(0) != 2) throw std::runtime_error("not two");
  return {x[0], x[1]};
}
std::tuple<at::Tensor, at::Tensor, torch::Tensor> three(torch::Tensor x, double by) { return {x, x * by, x + by}; }
std::tuple<torch::Tensor, torch::Tensor, torch::Tensor, torch::Tensor> four(torch::Tensor x, int64_t by) {
  return {x, x, x * by, {}};
}
torch::Tensor shaped(torch::Tensor x, std::vector<int64_t> sizes) { return x.reshape(sizes); }
std::vector<int64_t> sizes(const torch::Tensor& x, const std::vector<int64_t>& more) {
  std::vector<int64_t> all = x.sizes().vec();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
torch::Tensor sum(double a, float b, int c, int64_t d, bool e, double f, double g, float h,
                  double i, double j, double k, int l, int64_t m, torch::Tensor n,
                  torch::Tensor o) {
  return n * (a + b + c + d + e + f + g + h + i + j + k + l + m) + o;
}
"""
NAMES = (
    "relu scaled swapped reversed last fill many few half third is_odd nothing refuse sum"
    " plus positive halves three four shaped sizes".split()
)  # as PyTorch's load_inline is given them
TWELVE = (1.5, 2.5, 3, 4, True, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12, 13)

x = torch.tensor([-1.0, 2.0])


def references(module: Any) -> list[int]:
    """How many hold a tensor that goes through tuples and optional arguments."""
    y = torch.tensor([1.0, 2.0])
    counts = [y._use_count()]
    kept = [module.four(y, 2), module.positive(y), module.plus(y, None, None)]
    counts.append(y._use_count())
    del kept
    return [*counts, y._use_count()]


CALLS: list[Callable[[Any], Any]] = [
    lambda m: m.relu(x),
    lambda m: m.relu(x[None]),
    lambda m: m.relu(3),
    lambda m: m.relu(),
    lambda m: m.relu(x, x),
    lambda m: m.relu(x=x),
    lambda m: m.relu(None),
    lambda m: m.relu(torch.nn.Parameter(x)),
    lambda m: m.scaled(x, 2, 3, True),
    lambda m: m.scaled(x, 2.5, 3, False),
    lambda m: m.scaled(x, 2.5, 3.5, True),
    lambda m: m.scaled(x, "a", 3, True),
    lambda m: m.scaled(x, True, True, 1),
    lambda m: m.scaled(x, 2, 2**70, True),
    lambda m: m.scaled(x, 2, 3),
    lambda m: m.swapped(x, x + 1),
    lambda m: m.reversed([x, x + 1, x + 2]),
    lambda m: m.reversed((x, 3)),
    lambda m: m.last([]),
    lambda m: m.last([x, x * 2]),
    lambda m: m.fill(x.clone(), 1, 2.5),
    lambda m: m.fill(x.clone(), -1, 2.5),
    lambda m: m.fill(x, 1 << 40, 1.0),
    lambda m: m.many(x),
    lambda m: (m.few(7, False), m.few(True, True)),
    lambda m: (m.half(1), m.third(1), m.is_odd(3), m.is_odd(4)),
    lambda m: m.nothing(),
    *(lambda m, which=which: m.refuse(which) for which in range(9)),
    lambda m: (m.plus(x, x, x), m.plus(x, None, x), m.plus(x, x, None), m.plus(x, None, None)),
    lambda m: m.plus(x, 3, None),
    lambda m: m.plus(x, None),
    lambda m: (m.positive(x), m.positive(x * x)),
    lambda m: (m.halves(x), m.three(x, 2.5), m.four(x, 3)),
    lambda m: m.halves(x[:1]),
    references,
    lambda m: (m.shaped(x, [2, 1]), m.shaped(x, (1, 2, 1)), m.sizes(x, [3, 4]), m.sizes(x, [])),
    lambda m: m.shaped(x, [2.5]),
    lambda m: m.shaped(x, 2),
    lambda m: m.shaped(x, [3]),
    lambda m: m.sizes(x, "ab"),
    lambda m: m.sum(*TWELVE, x, x + 1),
    lambda m: [getattr(m, name).__doc__ for name in NAMES],
    lambda m: (m.__doc__, sorted(vars(m)), m.relu.__name__, m.relu.__module__, type(m.relu)),
]


def main() -> int:
    """Exit code 0 when all calls are answered alike."""
    extensions.use(sys.argv[1])
    bindings = Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        defined, declared, plain = (folder / f"{n}.cpp" for n in ("defined", "declared", "plain"))
        defined.write_text(DEFINED)
        declared.write_text(bound(DECLARED, NAMES))
        plain.write_text(plainly_bound(DECLARED, NAMES))
        theirs = built(folder / "theirs", declared, defined)
        library = {"extra_ldflags": [str(folder / "theirs/defined.o")]}
        theirs_plain = built(folder / "theirs_plain", plain, **library)
        built(folder / "kb_bindings", bindings / "bindings.cc")
        os.environ["KB_BINDINGS"] = str(folder / "kb_bindings/bindings.o")
        ours = built(folder / "ours", declared, **library)
        ours_plain = built(folder / "ours_plain", plain, **library)
        wrong = False
        for name, expected_headers in {
            "ours": "declared declared.o",
            "ours_plain": "declared plain.o",
            "theirs_plain": "slim plain.o",
        }.items():
            if headers_used(folder / name) != [expected_headers]:
                print(f"{name} was compiled otherwise: {headers_used(folder / name)}")
                wrong = True
        for module, other in (ours, theirs), (ours_plain, theirs_plain):
            for i, call in enumerate(CALLS):
                expected = answer(call, other).replace("theirs", "ours")
                found = answer(call, module)
                if found != expected:
                    print(f"call {i} of {module.__name__}: {found}\nPyTorch: {expected}")
                    wrong = True
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
