"""Tables with bounds that hold or do not."""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LEAST_INSIDE = 0.9  # of second speedups, in the first's intervals
MOST_CHANGE = 0.005  # the median of |log change|


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


def agreement(inside: list[bool], changes: list[float]) -> list[Bound]:
    """Of two measurements: whether each second speedup lies in the first's interval, and
    how far apart the logarithms of both are."""
    share = sum(inside) / len(inside) if inside else 0.0
    median, p90 = (quantile(changes, q) for q in (0.5, 0.9))
    return [
        Bound(
            f"second in the first's interval: {sum(inside)} of {len(inside)}, "
            f"{share:.0%} (at least {LEAST_INSIDE:.0%})",
            share >= LEAST_INSIDE,
        ),
        Bound(
            f"|log change|: median {median:.2%} (at most {MOST_CHANGE:.1%}), "
            f"nine in ten below {p90:.2%}",
            median <= MOST_CHANGE,
        ),
    ]


def finish(title: str, lines: list[str], bounds: list[Bound], out: Path | None) -> int:
    """Prints the table, writes it to `out`; the exit code."""
    said = [f"{b.text}: {'holds' if b.holds else 'DOES NOT HOLD'}" for b in bounds]
    text = "\n".join([title, *lines, "", *said]) + "\n"
    print(text, end="")
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)
    return 0 if all(bound.holds for bound in bounds) else 1
