"""Weights of a reference that hide what a candidate leaves out, such as the ones of a scale."""

from collections.abc import Iterator
from typing import Any

import torch
from candidate_host import seed_generators
from input_nature import plain

SMALL = 0.01  # what is scaled by less is not seen beside what it is added to


def weights_of(model: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """Its parameters, and the running statistics by which norms that do not train compute. Other
    buffers (masks, tables) mean what they are."""
    yield from model.named_parameters()
    for path, module in model.named_modules():
        if isinstance(module, torch.nn.modules.batchnorm._NormBase) and not module.training:
            for name in ("running_mean", "running_var"):
                statistic = getattr(module, name)
                if statistic is not None:
                    yield f"{path}.{name}" if path else name, statistic


def flat_weights(model: torch.nn.Module, arguments: list[Any]) -> dict[str, float]:
    """Those all of whose elements are one number, with which. One alone may have been drawn,
    unless it has few decimals; and one without dimension may be a number that the constructor
    was given, which a candidate knows without the weight."""
    found = {}
    for name, weight in weights_of(model):
        if not weight.numel() or not weight.is_floating_point():
            continue
        least, most = (end.item() for end in plain(weight).aminmax())
        written = abs(most - round(most, 4)) <= 1e-7 * abs(most)
        if not weight.ndim and any(most == number for number in numbers_of(arguments, weight.dtype)):
            continue
        if least == most and most - most == 0 and (weight.numel() > 1 or written):
            found[name] = most
    return found


def numbers_of(value: Any, dtype: torch.dtype) -> Iterator[float]:
    """The numbers in it, each as a tensor of that type has it."""
    if isinstance(value, (int, float)):
        yield torch.tensor(float(value), dtype=dtype).item()
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from numbers_of(item, dtype)
    elif isinstance(value, dict):
        yield from numbers_of(list(value.values()), dtype)


def is_identity(weight: torch.Tensor) -> bool:
    """Whether a product with it may be left out."""
    if weight.ndim != 2 or weight.shape[0] != weight.shape[1] or len(weight) < 2:
        return False
    return weight.is_floating_point() and bool((weight == torch.eye(len(weight)).to(weight)).all())


def redraw_flat(model: torch.nn.Module, flat: dict[str, float], seed: int) -> None:
    """Gives these weights values that matter; a variance stays positive, and others about as
    large as they are, unless they are so small that what they scale would not be seen. Identities
    get what nn.Linear draws besides."""
    seed_generators(seed)
    for name, weight in weights_of(model):
        if name in flat:
            noise = torch.rand_like(weight, dtype=torch.float32) - 0.5
            middle = 1.0 if name.endswith("running_var") else flat[name]
            if 0 < abs(middle) < SMALL:
                middle = 0.5 if middle > 0 else -0.5
            weight.data.copy_(middle + noise * (abs(middle) or 1.0))
        elif is_identity(weight):
            noise = torch.rand_like(weight, dtype=torch.float32) * 2 - 1
            weight.data.add_(noise / len(weight) ** 0.5)
