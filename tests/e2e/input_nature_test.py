"""What hosts/input_nature.py says of inputs whose nature is known, and hosts/operators.py of models.

    python input_nature_test.py HOSTS
"""

import sys
from typing import Any
from unittest import mock

import torch

sys.path.insert(0, sys.argv[1])
import input_nature  # noqa: E402
import operators  # noqa: E402


def described(tensor: torch.Tensor, **expected: Any) -> int:
    """1 where it is another one."""
    found = input_nature.describe(tensor)
    wrong = {key: found[key] for key, value in expected.items() if found[key] != value}
    if wrong:
        print(f"{tuple(tensor.shape)} {tensor.dtype}: {wrong}, not {expected}")
    return bool(wrong)


def least_of(pauses: list[float], limit: float) -> float:
    """What operators.least_micros says by a clock that only these runs move."""
    clock = 0.0
    left = list(pauses)

    def run() -> None:
        nonlocal clock
        clock += left.pop(0)

    with mock.patch.object(operators.time, "perf_counter", lambda: clock):
        return round(operators.least_micros(run, limit=limit), 3)


def main() -> int:
    torch.manual_seed(1)
    square = torch.rand(64, 64)
    logits = torch.randn(16, 32)
    fixed, free = {"kind": "fixed"}, {"kind": "free", "sparse": False, "kept": False}
    kept = {**fixed, "kept": True}
    wrong = sum((
        described(square, **free, negative=False),
        described(-square, **free, negative=True),
        described(logits, **free, negative=False),
        described(square.triu(), kind="free", sparse=True),
        described((square + square.T) / 2, **kept, symmetric=True),
        described(torch.ones(8, 8), **fixed, symmetric=False),
        described(logits.softmax(-1), **kept),
        described(logits.log_softmax(-1), **kept),
        described((square > 0.5).float(), **kept, symmetric=False),
        described(torch.rand(64).sort().values, **kept),
        described(torch.ones(64), **fixed, kept=False),
        described(torch.where(square > 0.5, square, -torch.inf), **fixed, kept=False),
        described(square > 0.5, **fixed),
        described(torch.rand(()), **fixed),
        described(torch.randint(3, 50, (400,)), kind="ids", least=3, range=47),
        described(torch.randperm(400), **fixed),
        described(torch.arange(0, 400, 8), **fixed),
        described(torch.randint(0, 2, (400,)), **fixed),
    ))  # fmt: skip
    linear, conv = torch.nn.Linear(4, 4), torch.nn.ConvTranspose2d(2, 2, 3)
    wrong += operators.convolves(linear)
    wrong += not operators.convolves(torch.nn.Sequential(linear, torch.nn.Sequential(conv)))
    inner, flat = torch.nn.ConvTranspose3d(2, 2, 3), torch.nn.Conv3d(2, 2, 3)
    wrong += operators.moves_with_place(torch.nn.Sequential(conv, flat))
    wrong += not operators.moves_with_place(torch.nn.Sequential(linear, inner))
    wrong += least_of([0.05, 0.001, 0.02, 0.001, 0.03], limit=9) != 1000
    wrong += least_of([0.05, 0.001], limit=0.01) != 50000
    print("not as it is:", wrong)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
