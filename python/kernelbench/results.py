"""What is said of a candidate, as typed values (`kernelbench schema evaluation`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Verdict(str, Enum):
    """What the README says of each."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    COMPILE_ERROR = "compile_error"
    LOAD_ERROR = "load_error"
    RUNTIME_ERROR = "runtime_error"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    REJECTED = "rejected"
    NOT_CERTIFIED = "not_certified"
    INFRA_ERROR = "infra_error"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Interval:
    """An estimate, and the interval that holds the true value in 95 of 100 repetitions."""

    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.estimate:.2f} [{self.low:.2f}, {self.high:.2f}]"

    @staticmethod
    def read(json: Mapping[str, Any] | None) -> Interval | None:
        """From the program's JSON."""
        return None if json is None else Interval(json["estimate"], json["low"], json["high"])


@dataclass(frozen=True)
class TimeSummary:
    """Certified times of one call, in microseconds.

    `median` is what the speedup is made of: the ruler's estimate, from all rounds and processes
    and with what they show beside them (docs/timing.md). The others are of single rounds, which
    on a busy machine are further apart, so that it may lie outside of them.
    """

    count: int
    median: float
    mean: float
    stddev: float
    min: float
    max: float
    q25: float
    q75: float

    @staticmethod
    def read(json: Mapping[str, Any] | None) -> TimeSummary | None:
        """From the program's JSON."""
        return None if json is None else TimeSummary(**json)


@dataclass(frozen=True)
class Mismatch:
    """Which output differs, and how much of it."""

    output: int
    structure: str
    elements: int
    wrong: int
    nonfinite: int
    unwritten: int
    pattern: str
    seed: int

    @staticmethod
    def read(json: Mapping[str, Any] | None) -> Mismatch | None:
        """From the program's JSON."""
        if json is None:
            return None
        return Mismatch(**{name: json[name] for name in Mismatch.__dataclass_fields__})


@dataclass(frozen=True)
class Device:
    """Where it was judged."""

    device: str
    name: str
    driver: str
    torch: str
    arch: str


@dataclass(frozen=True)
class Evaluation:
    """Everything that is said of one candidate on one problem."""

    problem: str
    candidate: str
    verdict: Verdict | None  # None: compiled, but this device cannot run it
    reason: str
    log: str
    notes: tuple[str, ...]
    speedup: Interval | None  # over eager PyTorch, by device time; certified only
    wall_speedup: Interval | None  # one call after the other, host included
    time_us: TimeSummary | None
    reference_us: TimeSummary | None
    mismatch: Mismatch | None
    size: str
    precision: str
    policy: str
    isolation: str
    device: Device
    wall_seconds: float
    raw: Mapping[str, Any] = field(repr=False, compare=False)  # the program's JSON, whole

    @property
    def correct(self) -> bool:
        """Whether it is correct and may be believed."""
        return self.verdict is Verdict.CORRECT

    @staticmethod
    def read(json: Mapping[str, Any]) -> Evaluation:
        """From the program's JSON."""
        return Evaluation(
            problem=json["problem"],
            candidate=json["candidate"]["name"],
            verdict=None if json["verdict"] is None else Verdict(json["verdict"]),
            reason=json["reason"],
            log=json["log"],
            notes=tuple(json["notes"]),
            speedup=Interval.read(json["speedup"]),
            wall_speedup=Interval.read(json["wall_speedup"]),
            time_us=TimeSummary.read(json["candidate_time_us"]),
            reference_us=TimeSummary.read(json["reference_time_us"]),
            mismatch=Mismatch.read(json["mismatch"]),
            size=json["size"],
            precision=json["precision"],
            policy=json["policy"]["name"],
            isolation=json["isolation"],
            device=Device(**json["device"]),
            wall_seconds=json["wall_seconds"],
            raw=json,
        )
