"""What `kernelbench` says a call takes, and why that may not be what a chain says."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path

import judging
import table

REFERENCE = "reference.py"
SIDES = ("reference", "candidate")
TOO_FAR = 0.005  # between two processes of ours with the same code


@dataclass
class Ours:
    """What we say of one kernel."""

    evaluation: judging.Evaluation
    side: str

    @property
    def micros(self) -> float:
        return float(self.evaluation[f"{self.side}_time_us"]["median"])

    @property
    def calls(self) -> int:
        """Of a chain."""
        return int(self.evaluation["ruler"]["calls"])

    def slope(self) -> float:
        """What the chains alone say."""
        trials = [t for t in self.evaluation["trials"] if t["timed"] and t["counts"]]
        one, chain = (
            statistics.median(t[f"{self.side}_{of}_us"] for t in trials)
            for of in ("one", "chain")
        )
        return float(chain - one) / (self.calls - 1)

    def of_a_chain(self) -> list[tuple[float, str]]:
        """Our time without what a chain of plain calls has not, and what that is."""
        ruler, found = self.evaluation["ruler"], []
        if ruler["copied"]:
            copy = float(ruler["copy_us"])
            found.append((self.micros - copy, f"outputs copied ({copy:.1f} us)"))
        if self.calls > 1 and self.micros > 1.003 * self.slope():
            said = f"a call alone counts, the slope says {self.slope():.1f}"
            found.append((self.slope(), said))
        return found

    def oddities(self) -> list[str]:
        """Why our time may be another one than a chain's."""
        found = [reason for _, reason in self.of_a_chain()]
        if not self.evaluation["ruler"]["gated"]:
            found.append("not gated")
        if self.evaluation["candidate"]["name"] == REFERENCE:
            both = [self.evaluation[f"{s}_time_us"]["median"] for s in SIDES]
            if table.log_ratio(*both) > TOO_FAR:
                found.append("our processes differ: {:.1f}, {:.1f}".format(*both))
        return found


Kernels = dict[tuple[str, str], dict[str, Ours]]  # by problem and size, then by file


def by_kernel(evaluations: list[judging.Evaluation]) -> Kernels:
    """What was timed: references, and candidates."""
    found: Kernels = {}
    for e in evaluations:
        if not e["speedup"]:
            continue
        mine = found.setdefault((e["problem"], e["size"]), {})
        mine.setdefault(REFERENCE, Ours(e, "reference"))
        name = e["candidate"]["name"]
        mine.setdefault(name, Ours(e, "candidate"))
    return found


def stored(path: Path) -> list[judging.Evaluation]:
    """Evaluations of what `eval` or `selftest timing` printed."""
    said = json.loads(path.read_text())
    found = said.get("evaluations") or [p["evaluation"] for p in said["problems"]]
    return [evaluation for evaluation in found if evaluation]
