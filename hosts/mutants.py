"""Standard wrong answers, which a sound test of a problem has to reject.

Each function takes a Case and returns the outputs of a wrong candidate, or None
where it means nothing for the problem. They are the short cuts that candidates
were seen to take and the mistakes that people make (threat catalogue, section 6:
"mutant set").
"""

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import products
import torch

Outputs = list[torch.Tensor]


@dataclasses.dataclass
class Case:
    """A problem with its current inputs, right outputs, and earlier outputs."""

    model: torch.nn.Module
    inputs: list[Any]
    outputs: Outputs
    earlier: list[Outputs]  # of other inputs, oldest first
    run: Callable[[torch.nn.Module, list[Any]], Outputs]
    public: bool  # the inputs are those of a public seed
    flat: dict[str, float]  # weights that were one number, before they were drawn anew

    def with_first_input(self, change: Callable[[torch.Tensor], torch.Tensor]) -> Outputs | None:
        """The reference's outputs when the first floating input is changed."""
        inputs = list(self.inputs)
        for i, value in enumerate(inputs):
            if isinstance(value, torch.Tensor) and value.is_floating_point() and value.ndim:
                inputs[i] = change(value)
                return self.run(self.model, inputs)
        return None


def floating(outputs: Outputs) -> bool:
    """Whether any output has floating-point elements."""
    return any(o.is_floating_point() for o in outputs)


def zeros(case: Case) -> Outputs | None:
    """All outputs zero."""
    return [torch.zeros_like(o) for o in case.outputs]


def constant(case: Case) -> Outputs | None:
    """The mean of an earlier output everywhere."""
    return [
        torch.full_like(o, e.double().mean().to(o.dtype).item())
        for o, e in zip(case.outputs, case.earlier[-1])
    ]


def mean_of_seeds(case: Case) -> Outputs | None:
    """The elementwise mean of the outputs of other inputs."""
    if not floating(case.outputs):
        return None
    return [sum(same[1:], same[0].clone()) / len(same) for same in zip(*case.earlier)]


def stale(case: Case) -> Outputs | None:
    """The outputs of the inputs before."""
    return case.earlier[-1]


def returned_input(case: Case) -> Outputs | None:
    """The first input that has as many elements as the output."""
    if len(case.outputs) != 1:
        return None
    out = case.outputs[0]
    for value in case.inputs:
        if isinstance(value, torch.Tensor) and value.numel() == out.numel():
            return [value.to(out.dtype).reshape(out.shape).clone()]
    return None


def without_tail(outputs: Outputs, keep: Callable[[int], int]) -> Outputs | None:
    """The outputs with the last dimension zero from index keep(size) on."""
    made = [o.clone() for o in outputs]
    dropped = False
    for out in made:
        if out.ndim and keep(out.shape[-1]) < out.shape[-1]:
            tail = out[..., keep(out.shape[-1]) :]
            dropped = dropped or bool(tail.any())
            tail.zero_()
    return made if dropped else None


def head_only(case: Case) -> Outputs | None:
    """Right in the first twentieth of the last dimension, zero after it."""
    return without_tail(case.outputs, lambda size: size // 20 or size)


def last_tile(case: Case) -> Outputs | None:
    """The last 1/64 of the last dimension, at least one element, is zero."""
    return without_tail(case.outputs, lambda size: size - max(1, size // 64))


def subsample(case: Case) -> Outputs | None:
    """Only the first 1/64 of the first input's last dimension is read."""

    def change(x: torch.Tensor) -> torch.Tensor:
        read = max(1, x.shape[-1] // 64)
        index = torch.arange(x.shape[-1], device=x.device) % read
        return x.index_select(-1, index)

    return case.with_first_input(change)


def off_by_one(case: Case) -> Outputs | None:
    """The first input is read one element too early in its last dimension."""

    def change(x: torch.Tensor) -> torch.Tensor:
        index = (torch.arange(x.shape[-1], device=x.device) - 1).clamp(min=0)
        return x.index_select(-1, index)

    return case.with_first_input(change)


def skip_affine(case: Case) -> Outputs | None:
    """Normalisation layers without their scale and shift."""
    model = copy.deepcopy(case.model)
    found = False
    for layer in model.modules():
        if hasattr(layer, "eps") and isinstance(getattr(layer, "weight", None), torch.Tensor):
            found = True
            layer.weight.data.fill_(1)
            if isinstance(getattr(layer, "bias", None), torch.Tensor):
                layer.bias.data.fill_(0)
    return case.run(model, case.inputs) if found else None


def acts_otherwise(layer: torch.nn.Module) -> bool:
    """Whether the layer computes something else in training mode."""
    if isinstance(layer, torch.nn.modules.dropout._DropoutNd):
        return layer.p > 0
    return isinstance(layer, torch.nn.modules.batchnorm._BatchNorm)


def eval_mode(case: Case) -> Outputs | None:
    """Evaluation mode where the reference trains (BatchNorm, dropout)."""
    if not any(layer.training and acts_otherwise(layer) for layer in case.model.modules()):
        return None
    return case.run(copy.deepcopy(case.model).eval(), case.inputs)


def down_cast(case: Case) -> Outputs | None:
    """Everything in bfloat16."""
    if not floating(case.outputs) or any(o.dtype == torch.bfloat16 for o in case.outputs):
        return None

    def narrow(value: Any) -> Any:
        floats = isinstance(value, torch.Tensor) and value.is_floating_point()
        return value.bfloat16() if floats else value

    model = copy.deepcopy(case.model).bfloat16()
    made = case.run(model, [narrow(value) for value in case.inputs])
    return [m.to(o.dtype) for m, o in zip(made, case.outputs)]


CLAMPS = ("clamp", "clamp_", "clip", "clamp_min", "clamp_max", "hardtanh", "hardtanh_", "relu6")
PARTS = 16  # of a sum that is added up in bfloat16


def with_replaced(case: Case, replacements: dict[str, products.Replacement]) -> Outputs | None:
    """The reference's outputs when functions are done otherwise; None where it uses none."""
    mode = products.Replaced(replacements)
    with mode:
        made = case.run(case.model, case.inputs)
    return made if mode.used else None


def left_out(func: Any, x: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    """In place of a function of one tensor."""
    return x


def no_clamp(case: Case) -> Outputs | None:
    """Clamps are left out."""
    return with_replaced(case, dict.fromkeys(CLAMPS, left_out))


def no_softcap(case: Case) -> Outputs | None:
    """tanh is left out, so that a soft cap, c * tanh(x / c), is none."""
    return with_replaced(case, {"tanh": left_out})


def in_bfloat(parts: list[torch.Tensor]) -> torch.Tensor:
    """Their sum, rounded to bfloat16 after each."""
    total = parts[0].bfloat16()
    for part in parts[1:]:
        total = (total.float() + part.float()).bfloat16()
    return total.to(parts[0].dtype)


def product_in_bfloat(func: Any, a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
    """A matrix product whose sums are kept in bfloat16."""
    if args or kwargs or a.ndim < 1 or b.ndim < 2 or a.shape[-1] < PARTS:
        return func(a, b, *args, **kwargs)
    return in_bfloat([func(x, y) for x, y in zip(a.chunk(PARTS, -1), b.chunk(PARTS, -2))])


def linear_in_bfloat(func: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    """The same of a linear layer."""
    if x.shape[-1] < PARTS:
        return func(x, weight, bias)
    parts = zip(x.chunk(PARTS, -1), weight.chunk(PARTS, -1))
    total = in_bfloat([func(a, b) for a, b in parts])
    return total if bias is None else total + bias


def convolution_in_bfloat(func: Any, x: Any, weight: Any, bias: Any = None, *args: Any) -> Any:
    """The same of a convolution, over its input channels."""
    grouped = len(args) > 3 and args[3] != 1
    if grouped or weight.shape[1] < 2 or x.shape[1] != weight.shape[1]:
        return func(x, weight, bias, *args)
    parts = zip(x.chunk(PARTS, 1), weight.chunk(PARTS, 1))
    total = in_bfloat([func(a, b, None, *args) for a, b in parts])
    return total if bias is None else total + bias.view(-1, *[1] * (total.ndim - 2))


def sum_in_bfloat(func: Any, x: Any, dim: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The same of a sum along one dimension."""
    if not isinstance(dim, int) or not x.is_floating_point() or x.shape[dim] < PARTS:
        return func(x, *(() if dim is None else (dim,)), *args, **kwargs)
    return in_bfloat([func(part, dim, *args, **kwargs) for part in x.chunk(PARTS, dim)])


def bfloat_sums(case: Case) -> Outputs | None:
    """Products and sums are added up in bfloat16."""
    if any(o.dtype == torch.bfloat16 for o in case.outputs):
        return None
    names = dict.fromkeys(("matmul", "__matmul__", "bmm", "mm"), product_in_bfloat)
    convolutions = dict.fromkeys(("conv1d", "conv2d", "conv3d"), convolution_in_bfloat)
    others = {"linear": linear_in_bfloat, "sum": sum_in_bfloat}
    return with_replaced(case, {**names, **convolutions, **others})


def public_seeds(case: Case) -> Outputs | None:
    """Right on the inputs of the public seeds, else the outputs of other inputs."""
    return case.outputs if case.public else case.earlier[-1]


def skip_flat(case: Case) -> Outputs | None:
    """Weights that are all ones or zeros at construction are taken to be so."""
    if not case.flat:
        return None
    model = copy.deepcopy(case.model)
    for name, weight in [*model.named_parameters(), *model.named_buffers()]:
        if name in case.flat:
            weight.data.fill_(case.flat[name])
    return case.run(model, case.inputs)


def one_element(case: Case, value: float) -> Outputs | None:
    """Right but for one element in the middle."""
    if not floating(case.outputs):
        return None
    made = [o.clone() for o in case.outputs]
    for out in made:
        if out.is_floating_point():
            out.view(-1)[out.numel() // 2] = value
    return made


def nan(case: Case) -> Outputs | None:
    """One NaN."""
    return one_element(case, float("nan"))


def inf(case: Case) -> Outputs | None:
    """One infinity."""
    return one_element(case, float("inf"))


def empty(case: Case) -> Outputs | None:
    """Tensors without elements."""
    return [o.new_empty(0) for o in case.outputs]


def wrong_dtype(case: Case) -> Outputs | None:
    """The right values in another type."""
    return [o.double() if o.dtype != torch.float64 else o.float() for o in case.outputs]


MUTANTS: dict[str, Callable[[Case], Outputs | None]] = {
    function.__name__: function
    for function in (
        zeros,
        constant,
        mean_of_seeds,
        stale,
        returned_input,
        head_only,
        last_tile,
        subsample,
        off_by_one,
        skip_affine,
        eval_mode,
        down_cast,
        no_clamp,
        no_softcap,
        bfloat_sums,
        public_seeds,
        skip_flat,
        nan,
        inf,
        empty,
        wrong_dtype,
    )
}
