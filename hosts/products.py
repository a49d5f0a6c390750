"""Models that run with some of PyTorch's functions replaced: products of rounded operands,
sums in fewer bits, clamps left out. Used for tolerances (oracle_host.py) and for wrong answers
(mutants.py).
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

PRODUCTS = {
    "linear", "matmul", "__matmul__", "__rmatmul__", "bmm", "mm", "mv", "dot", "addmm",
    "baddbmm", "addmv", "einsum", "bilinear", "conv1d", "conv2d", "conv3d",
    "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
    "scaled_dot_product_attention", "multi_head_attention_forward", "lstm", "gru",
    "rnn_tanh", "rnn_relu",
}  # fmt: skip

Function = Callable[..., Any]
# Called with the function and its arguments, in its place.
Replacement = Callable[..., Any]


class Replaced(TorchFunctionMode):
    """Functions of these names are done by their replacements meanwhile. `used`: any was."""

    def __init__(self, replacements: dict[str, Replacement]) -> None:
        super().__init__()
        self.replacements = replacements
        self.used = False

    def __torch_function__(
        self, func: Function, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        replacement = self.replacements.get(getattr(func, "__name__", ""))
        if replacement is None:
            return func(*args, **(kwargs or {}))
        self.used = True
        return replacement(func, *args, **(kwargs or {}))


def converted(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The same with every tensor in it changed, but for what PyTorch names the parts of (`topk`)."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if type(value) in (tuple, list):
        return type(value)(converted(item, change) for item in value)
    return value


def tf32(tensor: torch.Tensor) -> torch.Tensor:
    """Rounded to TF32's ten bits of mantissa, to nearest; other types as they are."""
    if tensor.dtype != torch.float32:
        return tensor
    bits = tensor.detach().contiguous().view(torch.int32)
    rounded = ((bits + 0x1000) & -0x2000).view(torch.float32)
    return torch.where(torch.isfinite(tensor), rounded, tensor)


def in_tf32() -> Replaced:
    """Operands of all products are rounded to TF32."""

    def rounded(func: Function, *args: Any, **kwargs: Any) -> Any:
        named = {key: converted(value, tf32) for key, value in kwargs.items()}
        return func(*converted(args, tf32), **named)

    return Replaced(dict.fromkeys(PRODUCTS, rounded))
