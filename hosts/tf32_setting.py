"""Whether PyTorch may take TF32 where float32 is asked for.

It can be told in two ways: by allow_tf32 and set_float32_matmul_precision, and since 2.9 by
fp32_precision of each backend and operator. Where the second has said what the first cannot
express, PyTorch refuses to answer the first (a RuntimeError), though it still takes orders.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from candidate_host import operators_of


def places() -> list[Any]:
    """All that have one: PyTorch as a whole, backends, and operators."""
    found: list[Any] = [torch.backends]
    for backend in (torch.backends.cudnn, torch.backends.mkldnn, torch.backends.cuda):
        found += [backend, *operators_of(backend)]
    return [place for place in found if hasattr(place, "fp32_precision")]


def answer(question: Callable[[], Any]) -> Any:
    """None where PyTorch refuses."""
    try:
        return question()
    except RuntimeError:
        return None


def is_allowed(backend: Any, operator: Any) -> bool:
    """For one of the two backends that compute in TF32."""
    allowed = answer(lambda: backend.allow_tf32)
    return operator.fp32_precision == "tf32" if allowed is None else allowed


def allowed() -> tuple[bool, bool]:
    """For cuDNN's convolutions and for matrix products."""
    cudnn, matmul = torch.backends.cudnn, torch.backends.cuda.matmul
    return is_allowed(cudnn, getattr(cudnn, "conv", cudnn)), is_allowed(matmul, matmul)


def said() -> tuple[list[Any], list[str]]:
    """All that PyTorch was told of it, in the first way (None: no answer) and in the second."""
    questions: list[Callable[[], Any]] = [
        torch.get_float32_matmul_precision,
        lambda: torch.backends.cudnn.allow_tf32,
        lambda: torch.backends.cuda.matmul.allow_tf32,
    ]
    return [answer(question) for question in questions], [p.fp32_precision for p in places()]


def say(told: tuple[list[Any], list[str]]) -> None:
    """What `said` returned. What is so already is not said again: to say one of these makes
    others explicit that were left open."""
    if told == said():
        return
    (products, cudnn, matmul), precisions = told
    if products is not None:
        torch.set_float32_matmul_precision(products)
    if cudnn is not None:
        torch.backends.cudnn.allow_tf32 = cudnn
    if matmul is not None:
        torch.backends.cuda.matmul.allow_tf32 = matmul
    for place, precision in zip(places(), precisions):
        if place.fp32_precision != precision:
            place.fp32_precision = precision


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """What is told meanwhile is forgotten afterwards."""
    before = said()
    try:
        yield
    finally:
        say(before)
