"""Tables with bounds that hold or do not."""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Bound:
    """A promise, and whether it was kept."""

    text: str
    holds: bool


def log_ratio(a: float, b: float) -> float:
    """How far two times are apart."""
    return abs(math.log(a / b))


def mean_with_error(values: list[float]) -> tuple[float, float]:
    """And its standard error; zeros of fewer than two, which have none."""
    if len(values) < 2:
        return 0.0, 0.0
    return statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values))


def quantile(values: Iterable[float], q: float) -> float:
    """Linear between the two nearest; NaN, which keeps no bound, of nothing."""
    ordered = sorted(values)
    if not ordered:
        return float("nan")
    place = q * (len(ordered) - 1)
    low, high = ordered[int(place)], ordered[min(int(place) + 1, len(ordered) - 1)]
    return low + (high - low) * (place - int(place))


def finish(title: str, lines: list[str], bounds: list[Bound], out: Path | None) -> int:
    """Prints the table, writes it to `out`; the exit code."""
    said = [f"{b.text}: {'holds' if b.holds else 'DOES NOT HOLD'}" for b in bounds]
    text = "\n".join([title, *lines, "", *said]) + "\n"
    print(text, end="")
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)
    return 0 if all(bound.holds for bound in bounds) else 1
