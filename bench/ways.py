"""Ways to compute that round elsewhere than PyTorch does, shared by scripts here and by the
candidates that they write (with this file's text in them)."""

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode


def each(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The same value with its floating tensors changed."""
    if isinstance(value, torch.Tensor):
        return change(value) if value.is_floating_point() else value
    if isinstance(value, (list, tuple)):
        return type(value)([each(item, change) for item in value])
    return value


class Halves(TorchFunctionMode):
    """Sums of products in two halves, each of which is rounded."""

    def __torch_function__(self, f: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(f, "__name__", "")
        if name in ("matmul", "mm", "bmm", "__matmul__") and len(args) == 2:
            a, b = args
            k = a.shape[-1] // 2
            if k and a.dim() > 1 and b.dim() > 1:
                return f(a[..., :k], b[..., :k, :]) + f(a[..., k:], b[..., k:, :])
        if name == "linear" and args[0].shape[-1] > 1:
            x, w = args[:2]
            bias = args[2] if len(args) > 2 else kwargs.get("bias")
            k = x.shape[-1] // 2
            sums = f(x[..., :k], w[:, :k]) + f(x[..., k:], w[:, k:])
            return sums if bias is None else sums + bias
        return f(*args, **kwargs)
