"""`baseline --compile-ahead` on cpu: PyTorch compiles two problems at once, and the
processes that are timed find what it made; with `--compiled` later commands do, too.

compile_ahead_test.py KERNELBENCH

The problem is one whose compiled answer is twice eager's where another process has
compiled before: the first process of one that is compiled in its turn says nothing, that
of one which was compiled ahead is wrong.
"""

import contextlib
import json
import os
import pty
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from checks import Checks

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))
import processes  # noqa: E402

PROBLEM = """
import os

import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        folder = os.environ.get("TORCHINDUCTOR_CACHE_DIR", "")
        kept = [name for _, _, files in os.walk(folder) for name in files] if folder else []
        self.factor = 2.0 if kept else 1.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) * self.factor


def get_inputs() -> list[torch.Tensor]:
    return [torch.randn(64, SIZE)]


def get_init_inputs() -> list:
    return []
"""
MEASURE = ["--device", "cpu", "--trials", "3", "--pack", "pack"]
AHEAD = "compiled beside others before"
KEPT = "what was compiled before was at hand"


class Baselines(Checks):
    """Calls of one command."""

    def measured(self, name: str, *words: str) -> tuple[int, list[dict[str, Any]]]:
        """The most oracles that were seen at once, without what they start, and the rows."""
        file = self.folder / name
        command = [self.program, "baseline", *MEASURE, *words, "--file", file.name]
        most = 0
        with subprocess.Popen(
            [*command, "--store", f"{name}.db"], cwd=self.folder, stdout=subprocess.DEVNULL
        ) as process:
            while process.poll() is None:
                oracles = set(processes.by_kind(process.pid).get("oracle", []))
                theirs = {child for oracle in oracles for child in processes.children(oracle)}
                most = max(most, len(oracles - theirs))
                time.sleep(0.1)
        rows: list[dict[str, Any]] = json.loads(file.read_text())["baselines"]
        return most, rows

    def steps(self, *words: str) -> str:
        """What is shown on a terminal."""
        mine, its = pty.openpty()
        command = [self.program, "baseline", *MEASURE, *words]
        with subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=its
        ) as process:
            os.close(its)
            said = b""
            with contextlib.suppress(OSError), os.fdopen(mine, "rb", 0) as terminal:
                while part := terminal.read(4096):
                    said += part
            process.wait()
        return said.decode()


def main() -> int:
    """Exit code 0 when all is as it should be."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pack = folder / "pack" / "level1"
        pack.mkdir(parents=True)
        for number, size in (1, "1024"), (2, "2048"):
            (pack / f"{number}_Twice.py").write_text(PROBLEM.replace("SIZE", size))
        checks = Baselines(sys.argv[1], folder)
        _, rows = checks.measured("turn.json", "--problem", "level1/1", "--mode", "compile")
        reasons = [row["reason"] for row in rows]
        checks.expect("compiled in its turn", reasons, [""])
        most, rows = checks.measured("ahead.json", "--mode", "eager,compile", "--compile-ahead", "2")
        checks.expect("oracles at once", most, 2)
        found = {
            (row["problem"], row["mode"]): (
                bool(row["time_us"]),
                "2 times the expected values" in row["reason"],
                row["reason"].endswith(AHEAD),
            )
            for row in rows
        }
        wanted = {
            (problem, mode): (True, mode == "compile", mode == "compile")
            for problem in ("level1/1", "level1/2")
            for mode in ("eager", "compile")
        }
        checks.expect("compiled ahead", found, wanted)
        broken = PROBLEM.replace("2.0 if kept", "1 / 0 if folder").replace("SIZE", "512")
        (pack / "3_Broken.py").write_text(broken)
        words = ["--problem", "level1/3", "--mode", "compile", "--compile-ahead", "2"]
        steps = checks.steps(*words, "--compiled", "kept_by_two", "--store", "steps.db")
        why = "compiled ahead: failed: ZeroDivisionError"
        checks.expect("why it failed", why in steps, True)
        kept = ["--problem", "level1/1", "--mode", "compile", "--compiled", "kept"]
        for name, again in ("first.json", False), ("second.json", True):
            _, rows = checks.measured(name, *kept)
            reason = rows[0]["reason"]
            twice = "2 times the expected values" in reason
            checks.expect(name, (twice, reason.endswith(KEPT)), (again, again))
        checks.expect("in the folder", os.listdir(folder / "kept"), ["kernelbench_compiled"])
        if os.geteuid() == 0:  # a copy that root brought from elsewhere
            (folder / "kept" / "kernelbench_compiled" / "inductor" / "copied").mkdir()
            done = checks.run("baseline", *MEASURE, *kept, "--again", "--no-store")
            said = "copied belongs to user 0, and user 65534 writes there" in done.stderr
            checks.expect("another's file", (done.returncode, said), (3, True))
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
