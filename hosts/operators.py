"""What a reference's operators are like, by which its processes differ more or less: a process's
context launches at a rate of its own, which matters to short kernels only, and convolutions
differ most (docs/timing.md)."""

import time
from collections.abc import Callable
from typing import Any

import torch


def allocations() -> int:
    """Tensors that were made on the GPU so far. Those of one forward are about as many as its
    operators; to count these takes a TorchDispatchMode, which imports torch._dynamo in 2 s."""
    return int(torch.cuda.memory_stats()["allocation.all.allocated"])


def convolves(model: torch.nn.Module) -> bool:
    """Whether a module of it is a convolution."""
    return any(isinstance(module, torch.nn.modules.conv._ConvNd) for module in model.modules())


def moves_with_place(model: torch.nn.Module) -> bool:
    """Whether its calls are known to take longer or shorter by where their tensors lie in a GPU's
    memory: all that were seen to do so have a transposed convolution in three dimensions."""
    return any(isinstance(module, torch.nn.ConvTranspose3d) for module in model.modules())


def least_micros(run: Callable[[], Any], tries: int = 5, limit: float = 0.1) -> float:
    """Of the fastest of some runs, microseconds: one that waits for memory from the driver or for
    a core takes many times as long. Others follow until `limit` seconds are over."""
    began = time.perf_counter()
    least = float("inf")
    for _ in range(tries):
        begin = time.perf_counter()
        run()
        end = time.perf_counter()
        least = min(least, end - begin)
        if end - began > limit:
            break
    return 1e6 * least


def count_and_micros(model: torch.nn.Module, forward: Callable[[], Any]) -> tuple[int, float]:
    """About how many operators a forward has, and how long one takes in a forward that is not the
    first, host included, in microseconds. 0: not known, as of recurrent ones, which launch any
    number of kernels."""
    if any(isinstance(module, torch.nn.RNNBase) for module in model.modules()):
        return 0, 0.0

    def to_the_end() -> None:
        forward()
        torch.cuda.synchronize()

    made = allocations()
    to_the_end()
    count = max(allocations() - made, 1)
    return count, least_micros(to_the_end) / count
