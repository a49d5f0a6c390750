"""What a drawn input is, so that another distribution of it stays valid.

Looked at once for each problem, in the inputs of one draw (oracle_host.py).
"""

from typing import Any

import torch

# Elements that are looked at where all would take long.
MOST = 1 << 20
IDS = (torch.int32, torch.int64)
SPARSE = 0.25  # share of zeros from which on they are taken for structure


def leave() -> dict[str, Any]:
    """Of an input that no other distribution is made of."""
    return {
        "kind": "fixed",
        "kept": False,
        "negative": False,
        "sparse": False,
        "symmetric": False,
        "least": 0,
        "range": 1,
    }


def is_float8(tensor: torch.Tensor) -> bool:
    """Whether its elements are floats of 8 bits, for which PyTorch has few operators."""
    return tensor.is_floating_point() and tensor.element_size() == 1


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """Floats of 8 bits as float32."""
    return tensor.float() if is_float8(tensor) else tensor


def head(tensor: torch.Tensor) -> torch.Tensor:
    """Whole rows of the last dimension, about MOST elements at most."""
    row = tensor.shape[-1]
    rows = tensor.reshape(-1, row)
    return plain(rows[: max(1, MOST // max(1, row))])


def is_symmetric(tensor: torch.Tensor) -> bool:
    """Whether the last two dimensions can be exchanged."""
    square = tensor.ndim >= 2 and tensor.shape[-1] == tensor.shape[-2] > 1
    if not square:
        return False
    first = plain(tensor.reshape(-1, *tensor.shape[-2:])[0])
    return bool((first == first.T).all())


def adds_up(rows: torch.Tensor) -> bool:
    """Whether rows are probabilities, or logarithms of them."""
    if rows.shape[-1] < 2:
        return False
    wide = rows.double()
    if bool((wide >= 0).all()):
        sums = wide.sum(-1)
    elif bool((wide <= 0).all()):
        sums = wide.exp().sum(-1)
    else:
        return False
    return bool(((sums - 1).abs() < 1e-3).all())


def of_floats(tensor: torch.Tensor) -> dict[str, Any]:
    """A float input is fixed where its values are a mask, flags, probabilities, a symmetric
    matrix or in order, and kept where it means something by them (not where all are equal);
    sparse where zeros are part of its structure (triangles)."""
    rows = head(tensor)
    flat = rows.reshape(-1)
    least, most = flat.aminmax()
    few = bool((flat == least).logical_or(flat == most).all()) and flat.numel() > 2
    finite = bool(torch.isfinite(flat).all())
    varies = bool(least != most) and flat.numel() > 2
    symmetric = varies and is_symmetric(tensor)
    kept = varies and (few or is_in_order(tensor) or symmetric or adds_up(rows))
    if few or kept or not finite:
        return {**leave(), "kept": kept and finite, "symmetric": symmetric and finite}
    zeros = (flat == 0).float().mean().item()
    negative = bool((flat <= 0).all())
    return {**leave(), "kind": "free", "negative": negative, "sparse": zeros >= SPARSE}


def of_ids(tensor: torch.Tensor) -> dict[str, Any]:
    """Integers are ids where some occur again and they are in no order; offsets, permutations
    and flags are not."""
    flat = head(tensor).reshape(-1)
    ordered = bool((flat[1:] >= flat[:-1]).all())
    distinct = torch.unique(flat).numel()
    least, most = int(tensor.min()), int(tensor.max())
    if ordered or distinct == flat.numel() or most - least < 2:
        return leave()
    return {**leave(), "kind": "ids", "least": least, "range": most - least + 1}


def is_in_order(tensor: torch.Tensor) -> bool:
    """Whether its values rise or fall from the first to the last: places, offsets, all the same."""
    if tensor.ndim == 0 or tensor.numel() < 2:
        return True
    flat = head(tensor).reshape(-1)
    rises, falls = (flat[1:] >= flat[:-1]).all(), (flat[1:] <= flat[:-1]).all()
    return bool(rises | falls)


def looks_drawn(tensor: torch.Tensor) -> bool:
    """Whether its values may be random numbers: others would do, and these are in no order."""
    if describe(tensor)["kind"] == "fixed":
        return False
    flat = head(tensor).reshape(-1)
    if tensor.dtype in (torch.float32, torch.float64) and flat.unique().numel() < flat.numel() / 2:
        return False  # steps that are repeated
    return not is_in_order(tensor)


def describe(tensor: torch.Tensor) -> dict[str, Any]:
    """An oracle::Reference::InputNature."""
    if tensor.ndim == 0 or tensor.numel() < 2:
        return leave()
    if tensor.is_floating_point():
        return of_floats(tensor)
    return of_ids(tensor) if tensor.dtype in IDS else leave()
