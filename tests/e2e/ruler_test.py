"""References against themselves on cpu, where the true ratio is 1.

    ruler_test.py KERNELBENCH

A busy machine may give wide intervals, but not wrong ones: fails when ratios are
off and intervals deny it. A side that had to share its core with the other one
was 1.6 times as slow as it is, and few intervals contained 1.
"""

import json
import subprocess
import sys

PROBLEMS = "level1/1,level1/19,level1/23,level1/36,level2/12"
MEDIAN = 0.35  # of |log ratio|
WITHIN = 0.6  # share of intervals that contain 1


def main() -> int:
    """Runs the self-test; 1 when the ruler is crooked."""
    command = [sys.argv[1], "selftest", "timing", "--device", "cpu", "--json"]
    command += ["--no-store", "--problem", PROBLEMS]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = json.loads(said.stdout)
    summary = {name: found[name] for name in ("measured", "failed", "median", "within")}
    print(summary)
    straight = found["median"] <= MEDIAN or found["within"] >= WITHIN
    return 0 if straight and found["failed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
