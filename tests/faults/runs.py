"""Runs of kernelbench with a scripted model in a folder of their own, and what they left in it."""

import hashlib
import os
import sqlite3
import subprocess
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import processes
import scripted_model


@dataclass
class Place:
    """Where runs are made, and with what."""

    kernelbench: str
    samples: Path
    folder: Path
    options: list[str]
    problems: dict[str, int]  # samples of each
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    def environment(self) -> dict[str, str]:
        """Temporary files, caches and stores below the folder."""
        temporary = self.folder / "tmp"
        temporary.mkdir(exist_ok=True)
        return {
            **os.environ,
            processes.MARK: self.mark,
            "TMPDIR": str(temporary),
            "KB_CACHE": str(self.folder / "cache"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "no_proxy": "127.0.0.1",
        }

    def command(self, store: str) -> list[str]:
        """The run, judged for correctness only: times are no part of the final table."""
        count = max(self.problems.values())
        return [
            *[self.kernelbench, "run", *self.options, "--problem", ",".join(self.problems)],
            *["--samples", str(count), "--trials", "0", "--device", "cpu", "--size", "small"],
            *["--store", str(self.folder / store)],
        ]

    def start(self, command: list[str], log: str) -> subprocess.Popen[bytes]:
        """A process whose output goes to a file."""
        with open(self.folder / log, "ab") as output:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self.environment(),
                start_new_session=True,
            )

    def tail(self, log: str) -> str:
        """The last words of a process."""
        return (self.folder / log).read_text(errors="replace")[-2000:]


@dataclass(frozen=True)
class Line:
    """What a final table says of one sample."""

    problem: str
    sample: int
    verdict: str
    candidate: str
    tokens: tuple[int, int]
    usd: float


def table(store: Path) -> list[Line]:
    """The final table: of each sample its answer, and the newest verdict that is not our failure."""
    # Not read-only: that cannot take in the log which a killed writer leaves.
    with sqlite3.connect(store, timeout=60) as database:
        rows = database.execute(
            "SELECT g.problem_id, g.sample, ifnull(e.verdict, 'none'), g.source_hash,"
            " g.input_tokens, g.output_tokens, g.usd FROM generations g LEFT JOIN evaluations e"
            " ON e.id = (SELECT max(id) FROM evaluations WHERE model = g.model AND problem_id ="
            " g.problem_id AND sample = g.sample AND source_hash = g.source_hash AND"
            " ifnull(verdict, '') != 'infra_error') ORDER BY 1, 2"
        ).fetchall()
    return [Line(p, s, v, c, (i, o), u) for p, s, v, c, i, o, u in rows]


def wrong_lines(place: Place, store: Path) -> list[str]:
    """Samples that are lost, doubled, or have what belongs to another."""
    wrong = []
    lines = table(store)
    seen = [(line.problem, line.sample) for line in lines]
    wanted = [(p, s) for p, n in sorted(place.problems.items()) for s in range(n)]
    wrong += [f"lost: {key}" for key in wanted if key not in seen]
    wrong += [f"doubled: {key}" for key in set(seen) if seen.count(key) > 1]
    for line in lines:
        text = scripted_model.source(place.samples, line.problem, line.sample)
        if hashlib.sha256(text.encode()).hexdigest() != line.candidate:
            wrong.append(f"misattributed: {line.problem} sample {line.sample}")
        said = scripted_model.usage(line.problem, line.sample)
        tokens = (said["prompt_tokens"], said["completion_tokens"])
        if tokens != line.tokens or said["cost"] != line.usd:
            wrong.append(f"another price: {line.problem} sample {line.sample}")
    return wrong


def left_behind(place: Place) -> list[str]:
    """What is still on the machine: processes, temporary folders, control groups, private folders."""
    left = [f"process {p}: {processes.command(p)[:80]}" for p in processes.wait_for_none(place.mark)]
    left += [str(path) for path in (place.folder / "tmp").iterdir()]
    for path in Path("/tmp").glob("kernelbench-jail-*"):
        pid = path.name.split("-")[2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            left.append(str(path))
    return left


def conclude(text: str, wrong: list[str], if_right: str, report: Path | None) -> int:
    """Prints and keeps what was done and what came of it; the exit code."""
    text += "\n".join(wrong or [if_right]) + "\n"
    print(text, end="")
    if report:
        report.write_text(text)
    return 1 if wrong else 0
