"""Whether batch norms that train update their running statistics, by each value of the policy's
field, on cpu.

running_statistics_test.py KERNELBENCH

Nobody compares these statistics. The candidate's are told by what it returns, the reference's by
how long it takes: it sleeps where it would update them, and one candidate always does.
"""

import json
import sys
import tempfile
from pathlib import Path

from checks import Checks

SLEEP = "time.sleep(0.02)"
MODEL = """import time
import torch


class {name}(torch.nn.BatchNorm1d):
    def forward(self, x):
        before = int(self.num_batches_tracked)
        {first}
        y = super().forward(x)
        return {value}
"""
PROBLEM = (
    MODEL.format(name="Model", first=f"self.track_running_stats and {SLEEP}", value="y")
    + """

def get_inputs():
    return [torch.rand(64, 16)]


def get_init_inputs():
    return [16]
"""
)
CANDIDATES = {
    "counts.py": MODEL.format(
        name="ModelNew", first="", value="y + (int(self.num_batches_tracked) - before)"
    ),
    "sleeps.py": MODEL.format(name="ModelNew", first=SLEEP, value="y"),
}
# The verdict of who shows an update, and whether the reference sleeps as the other does.
EXPECTED = {True: ("incorrect", True), False: ("correct", False)}


def main() -> int:
    """Both values."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        checks = Checks(sys.argv[1], folder)
        for file, text in {"norm.py": PROBLEM, **CANDIDATES}.items():
            (folder / file).write_text(text)
        words = ["eval", "--pack", "norm.py", "--problem", "norm", "--size", "full"]
        words += ["--device", "cpu", "--trials", "4", "--no-store", "--json"]
        words += ["--policy", "rules.json", "--candidate", *CANDIDATES]
        for update, expected in EXPECTED.items():
            rules = {"name": "strict", "running_statistics": update}
            (folder / "rules.json").write_text(json.dumps(rules))
            counts, sleeps = json.loads(checks.run(*words).stdout)["evaluations"]
            checks.expect(f"sleeps, {update}", sleeps["verdict"], "correct")
            found = (counts["verdict"], sleeps["speedup"]["estimate"] > 0.5)
            checks.expect(f"running_statistics {update}", found, expected)
        print("not as it should be:", checks.failed)
        return int(checks.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
