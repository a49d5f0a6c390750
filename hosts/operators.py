"""How long one of a reference's operators takes, which says how long its kernels are: a process's
context launches at a rate of its own, and that matters to short kernels only (docs/timing.md)."""

import time
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Operators(TorchDispatchMode):
    """Counts the operators that PyTorch calls, also those that only view a tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        self.recurrent = False  # of which one launches any number of kernels

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        self.number += 1
        self.recurrent = self.recurrent or "rnn" in str(func)
        return func(*args, **(kwargs or {}))


def mean_micros(operators: Operators, forward: Callable[[], Any]) -> float:
    """Of one operator, from one more forward on a GPU, host included. 0: not known."""
    torch.cuda.synchronize()
    begin = time.perf_counter()
    forward()
    torch.cuda.synchronize()
    micros = 1e6 * (time.perf_counter() - begin)
    torch.cuda.empty_cache()
    return 0.0 if operators.recurrent or not operators.number else micros / operators.number
