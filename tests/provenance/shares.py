"""Programs of which it is known how much of the work their own code does.

    shares.py KERNELBENCH [DEVICE]

Judges each on DEVICE (cpu, cuda:0; default cpu) with --provenance, at every level of
isolation that works there on a GPU. Fails where the share of their own code, or the
origin that took most beside our host, is another one, where shares do not add up to 1, and where
"required" lets through what it should not.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass
class Known:
    """What is known of a program."""

    name: str
    least: float  # own share
    most: float
    origin: str  # that takes most; "": not known
    problem: str = "level1/19"


ON_CPU = [
    Known("own.cpp", 0.9, 1, "own"),
    Known("torch_only.py", 0, 0.1, ""),
    Known("half.py", 0.2, 0.8, ""),
]
ON_CUDA = [
    Known("own.cu", 0.98, 1, "own"),
    Known("own_and_copy.cu", 0.2, 0.8, ""),
    Known("torch_only.py", 0, 0.02, "framework"),
    Known("extension.py", 0.98, 1, "own"),
    Known("operator_from_extension.py", 0, 0.02, "framework"),
    Known("triton_only.py", 0.98, 1, "triton"),
    Known("triton_and_torch.py", 0.2, 0.8, ""),
    Known("graph.py", 0.5, 1, "triton"),
    Known("compiled.py", 0, 0.02, "generated"),
    Known("../hostile/bypass/cublas.cu", 0, 0.02, "library", "level1/1"),
]


def judged(program: Known, device: str, *options: str) -> dict[str, Any]:
    """What eval says of it."""
    command = [sys.argv[1], "eval", str(HERE / program.name), "--problem", program.problem]
    command += ["--device", device, "--size", "small", "--trials", "0", "--no-store", "--json"]
    said = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=False)
    answer: dict[str, Any] = json.loads(said.stdout)
    return answer["evaluations"][0] if "evaluations" in answer else answer


def mistakes(program: Known, evaluation: dict[str, Any]) -> list[str]:
    """What is not as it is known to be."""
    seen = evaluation["provenance"]
    if evaluation["verdict"] != "correct" or seen is None:
        return [f"{evaluation['verdict']}: {evaluation['reason']} {evaluation['notes']}"]
    found = []
    if not program.least <= seen["own_share"] <= program.most:
        found.append(f"not {program.least} to {program.most}")
    total = sum(seen["shares"].values())
    if abs(total - 1) > 1e-9:
        found.append(f"the sum is {total}")
    # Our own host's part is no part of its work, and larger on a busy processor.
    shares = {origin: share for origin, share in seen["shares"].items() if origin != "host"}
    if program.origin and max(shares, key=lambda origin: shares[origin]) != program.origin:
        found.append(f"most is not {program.origin}'s")
    return found


def levels(device: str) -> list[list[str]]:
    """Options, one list for each way to judge."""
    return [[]] if device == "cpu" else [[], ["--isolation", "reduced"]]


def main() -> int:
    """All of them; what is required as well."""
    device = sys.argv[2] if len(sys.argv) > 2 else "cpu"
    failures = 0
    for options in levels(device):
        for program in ON_CPU if device == "cpu" else ON_CUDA:
            evaluation = judged(program, device, "--provenance", "on", *options)
            wrong = mistakes(program, evaluation)
            seen = evaluation["provenance"] or {"own_share": None, "shares": {}}
            shares = {name: round(x, 3) for name, x in seen["shares"].items() if x}
            print("FAILED" if wrong else "ok", program.name, *options, end=": ")
            print(seen["own_share"], shares, *wrong, flush=True)
            failures += bool(wrong)
    refused = judged(Known("torch_only.py", 0, 0, ""), device, "--provenance", "required")
    print("required:", refused["verdict"], refused["reason"])
    if refused["verdict"] != "rejected" or "50 %" not in refused["reason"]:
        failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
