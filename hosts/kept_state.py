"""Whether a reference gives other outputs for the same inputs: it remembers earlier calls (state
that its forward changes, and that its outputs depend on), or something decides that is no input.
No answer to such a reference is right, so it is no problem (docs/problems.md)."""

from collections.abc import Callable
from typing import Any

import torch

# What else modules keep begins with an underscore or is no state.
TENSORS_OF = ("_parameters", "_buffers")
# Runs may round differently, most of all on a GPU; what is remembered differs by far more.
ROUNDING = 1e-2
RUNS = 3  # a state that matters in every other call only
LOOKED_AT = 1 << 16  # elements of an output
FEW = 0.01  # of the elements, where rounding decides, say which of two is the larger


def fingerprint(value: Any) -> Any:
    """Equal as long as nobody changes or replaces the value. Holds tensors, so that their ids stay
    theirs."""
    if isinstance(value, torch.Tensor):
        return (id(value), value._version, Held(value))
    if isinstance(value, (list, tuple)):
        return [fingerprint(item) for item in value]
    if isinstance(value, dict):
        return {repr(key): fingerprint(item) for key, item in value.items()}
    return value if isinstance(value, (bool, int, float, str, type(None))) else None


class Held:
    """Keeps an object alive, and is equal to every other."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held)

    __hash__ = None


def state_of(model: torch.nn.Module) -> dict[str, Any]:
    """All that the model's modules keep, by name."""
    found = {}
    for path, module in model.named_modules():
        for name, value in vars(module).items():
            parts = value.items() if name in TENSORS_OF else [(name, value)]
            if name not in TENSORS_OF and name.startswith("_"):
                continue
            for part, kept in parts:
                found[f"{path}.{part}" if path else part] = fingerprint(kept)
    return found


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The names of what is new, gone or another."""
    names = sorted({*before, *after})
    return [name for name in names if before.get(name, ...) != after.get(name, ...)]


def differ(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    """By more than rounding."""
    if [t.shape for t in one] != [t.shape for t in other]:
        return True
    for a, b in zip(one, other):
        if not torch.allclose(a.double(), b.double(), ROUNDING, ROUNDING, equal_nan=True):
            return True
    return False


def remembers(run: Callable[[], list[torch.Tensor]]) -> bool:
    """Whether the same inputs give other outputs after calls. `run`: one call."""
    first = [t.clone() for t in run()]
    return any(differ(first, run()) for _ in range(RUNS - 1))


def part_of(outputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """Elements of each output, evenly spread, as numbers on the CPU; few enough to be kept."""
    found = []
    for output in outputs:
        flat = output.detach().reshape(-1)
        if flat.is_complex():
            flat = torch.view_as_real(flat).reshape(-1)
        step = max(1, flat.numel() // LOOKED_AT)
        found.append(flat[::step].double().cpu())
    return found


def is_another(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    """Whether two answers differ, by their parts: by more than rounding in more than a few
    elements."""
    if [t.shape for t in one] != [t.shape for t in other]:
        return True
    close = (torch.isclose(*pair, ROUNDING, ROUNDING, equal_nan=True) for pair in zip(one, other))
    return any(bool((~c).sum() > FEW * c.numel()) for c in close)
