"""References against themselves on cpu, where the true ratio is 1.

    ruler_test.py KERNELBENCH

A busy machine may give wide intervals, but not wrong ones: fails when ratios are
off and intervals deny it. A side that had to share its core with the other one
was 1.6 times as slow as it is, and few intervals contained 1.
"""

import json
import subprocess
import sys
from typing import Any

PROBLEMS = "level1/1,level1/19,level1/23,level1/36,level2/12"
MEDIAN = 0.35  # of |log ratio|
WITHIN = 0.6  # share of intervals that contain 1


def selftest(*options: str) -> dict[str, Any]:
    """What the self-test says of these problems."""
    command = [sys.argv[1], "selftest", "timing", "--device", "cpu", "--json", "--no-store"]
    said = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=False)
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def of_several_processes() -> bool:
    """Whether two processes of each side are read when two are asked for."""
    found = selftest("--problem", "level1/23", "--processes", "2")
    evaluation = found["problems"][0]["evaluation"]
    timed = {trial["process"] for trial in evaluation["trials"] if trial["timed"]}
    print("processes:", evaluation["verdict"], sorted(timed))
    return (
        evaluation["verdict"] == "correct"
        and timed == {0, 1}
        and evaluation["ruler"]["processes"] == 2
    )


def main() -> int:
    """Runs the self-test; 1 when the ruler is crooked."""
    found = selftest("--problem", PROBLEMS)
    summary = {name: found[name] for name in ("measured", "failed", "median", "within")}
    print(summary)
    straight = found["median"] <= MEDIAN or found["within"] >= WITHIN
    return 0 if straight and found["failed"] == 0 and of_several_processes() else 1


if __name__ == "__main__":
    sys.exit(main())
