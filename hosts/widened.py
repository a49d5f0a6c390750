"""Models that compute in float64 what they say to compute in float32."""

from collections.abc import Callable
from typing import Any

import products
import torch
from torch.overrides import TorchFunctionMode

# What these draw goes by the type: it is drawn as ever, and made wider then.
DRAWS = {
    "rand", "randn", "normal", "rand_like", "randn_like", "bernoulli", "poisson",
    "normal_", "uniform_", "exponential_", "bernoulli_", "log_normal_", "cauchy_",
    "geometric_", "dropout", "multinomial",
}  # fmt: skip
NAMES = {"torch.FloatTensor": "torch.DoubleTensor"}
NAMES |= {name.replace(".", ".cuda.", 1): to.replace(".", ".cuda.", 1) for name, to in NAMES.items()}


class InDouble(TorchFunctionMode):
    """Casts to float32, and tensors that are made in it, are float64 meanwhile; casts to
    narrower types round as ever, since they say what is computed."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "float":
            func = torch.Tensor.double
        if name not in DRAWS:
            args = tuple(wide_name(value) for value in args)
            kwargs = {key: wide_name(value) for key, value in kwargs.items()}
        return products.converted(func(*args, **kwargs), wide)


def wide_name(value: Any) -> Any:
    """Of a type; anything else as it is."""
    if value is torch.float32:
        return torch.float64
    return NAMES.get(value, value) if isinstance(value, str) else value


def wide(tensor: torch.Tensor) -> torch.Tensor:
    """In float64 where it is of float32."""
    return tensor.double() if tensor.dtype == torch.float32 else tensor
