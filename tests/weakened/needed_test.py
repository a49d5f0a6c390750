"""Switches one defence off at a time and shows a program that gets through then.

needed_test.py KERNELBENCH WEAKENED: WEAKENED is the same program with an oracle that
obeys KB_WITHOUT. On cpu.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

# The defence, and what it alone stops.
OF_THE_ORACLE = {
    "fresh_inputs": "caching/by_shape.cpp",
    "poison": "memory/unwritten_zeros.cpp",
    "inputs": "caching/spoils_input.cpp",
    "weights": "caching/spoils_weights.cpp",
    "red_zones": "memory/writes_behind.cpp",
}
# What the command line or a policy can switch off.
OF_THE_POLICY = {
    "mixed inputs": (
        {"inputs": "as_given", "distributions": False},
        "problems/identity.cpp",
    ),
    "other distributions": ({"distributions": False}, "problems/maximum_from_zero.cpp"),
    "parameters drawn anew": ({"redraw_flat_parameters": False}, "problems/no_affine.py"),
    "the measured tolerance": (
        {"error_multiple": 0, "tolerance": {"atol": 1e-2, "rtol": 1e-2}},
        "precision/cut_mantissa.cpp",
    ),
}


def judged(program: str, name: str, *words: str, without: str = "") -> dict[str, Any]:
    """What `selftest --hostile` says of one program."""
    command = [program, "selftest", "--hostile", "--filter", name, "--device", "cpu"]
    command += ["--trials", "2", "--no-store", "--json", *words]
    environment = {**os.environ, "KB_WITHOUT": without}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    if len(answer["hostile"]) != 1:
        sys.exit(f"{name}: not one program but {len(answer['hostile'])}")
    return answer


def verdict(answer: dict[str, Any]) -> str:
    """Of the only program."""
    return str(answer["hostile"][0]["evaluation"]["verdict"])


class Test:
    """Counts what is not as it should be."""

    failures = 0

    def expect(self, right: bool, text: str) -> None:
        """A line for each."""
        print(f"{'ok' if right else 'FAILED'}: {text}")
        self.failures += not right

    def defence(self, name: str, with_it: str, without_it: str) -> None:
        """It stops a program that gets through without it."""
        self.expect(with_it != "correct", f"with {name}: {with_it}")
        self.expect(without_it == "correct", f"without {name}: {without_it}")


def main() -> int:
    """All of them."""
    program, weakened = sys.argv[1:]
    test = Test()
    for name, attempt in OF_THE_ORACLE.items():
        with_it = verdict(judged(weakened, attempt))
        test.defence(name, with_it, verdict(judged(weakened, attempt, without=name)))
    spoilt = OF_THE_ORACLE["weights"]
    for without, harmed in (("", False), ("weights", True)):
        answer = judged(weakened, spoilt, "--honest-between", without=without)
        found = any(line.startswith("after ") for line in answer["failed"])
        test.expect(found == harmed, f"without {without or 'nothing'}: {answer['failed']}")
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder) / "policy.json"
        for name, (fields, attempt) in OF_THE_POLICY.items():
            policy.write_text(json.dumps({"name": "strict", **fields}))
            without_it = verdict(judged(program, attempt, "--policy", str(policy)))
            test.defence(name, verdict(judged(program, attempt)), without_it)
        # Not one whose header names a policy: that counts more than --policy.
        ran = {}
        for rule in ("required", "off"):
            policy.write_text(json.dumps({"name": "own-kernels", "provenance": rule}))
            answer = judged(program, "bypass/obfuscated.py", "--policy", str(policy))
            ran[rule] = verdict(answer)
        test.defence("what ran", ran["required"], ran["off"])
        policy.write_text(json.dumps({"name": "strict", "hidden_sizes": "required"}))
        fixed = "problems/fixed_rows.cpp"
        with_it = verdict(judged(program, fixed, "--policy", str(policy)))
        test.defence("hidden sizes", with_it, verdict(judged(program, fixed)))
    ours = "leaks/our_files.cpp"
    outside = verdict(judged(program, ours, "--unsafe-no-sandbox"))
    test.defence("the jail's files", verdict(judged(program, ours)), outside)
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
