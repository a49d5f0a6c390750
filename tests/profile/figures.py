"""Programs of which it is known where their time goes.

    figures.py KERNELBENCH [DEVICE]

Profiles each of this folder that DEVICE (cpu, cuda:0; default cpu) can run, and holds the
figures against the line "profile:" at its top:

    limiter=NAME/NAME    the named limiter, or one of several, where it is the machine's
    hottest=NAME:SHARE   the part that took most, and its share of the time, within 0.08
    also=NAME:SHARE      another part
    page_faults=N        of a call, within 5 %
    count=N              kernels, copies and fills of a call
    grid=N block=N shared=N   of the hottest kernel: blocks, threads, bytes of a block
    copied=N             bytes that a call copies
    occupancy=SHARE      of the hottest kernel
    spills=yes           its local memory is not empty
    pack=1               the problem is of the folder pack here
    device=cuda          of a Python file that is for a GPU
    size=NAME            small where nothing is said on cpu, full on cuda

The bandwidth must be what the tensors of a call make of the time that it is said to be of.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NEAR = 0.08


def known_of(path: Path) -> dict[str, str]:
    """What the program's line says."""
    found = re.search(r"profile: (.+)", path.read_text())
    return dict(pair.split("=", 1) for pair in found.group(1).split()) if found else {}


def profiled(path: Path, device: str, known: dict[str, str]) -> dict[str, Any]:
    """What the program says of it."""
    size = known.get("size", "small" if device == "cpu" else "full")
    command = [sys.argv[1], "profile", str(path), "--problem", known.get("problem", "level1/19")]
    command += ["--device", device, "--trials", "3", "--json"]
    command += ["--pack", str(HERE / "pack")] if "pack" in known else ["--size", size]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    answer: dict[str, Any] = json.loads(said.stdout)
    return answer["evaluations"][0] if "evaluations" in answer else answer


def part_named(profile: dict[str, Any], name: str) -> dict[str, Any]:
    """The part with that in its name; {} when there is none."""
    return next((part for part in profile["parts"] if name in part["name"]), {})


class Check:
    """Collects what is not as it is known to be."""

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def near(self, what: str, value: float, truth: float, within: float) -> None:
        """Of numbers."""
        if abs(value - truth) > within:
            self.wrong.append(f"{what} is {value:.4g}, not {truth:.4g}")

    def same(self, what: str, value: Any, truth: Any) -> None:
        """Of all else."""
        if value != truth:
            self.wrong.append(f"{what} is {value!r}, not {truth!r}")

    def part(self, profile: dict[str, Any], expected: str) -> None:
        """NAME:SHARE"""
        name, share = expected.split(":")
        self.near(name, part_named(profile, name).get("share", 0), float(share), NEAR)

    def launch(self, part: dict[str, Any], known: dict[str, str]) -> None:
        """How the hottest kernel was launched."""
        launch = part.get("launch") or {}
        grid = launch.get("grid", [0, 0, 0])
        block = launch.get("block", [0, 0, 0])
        shared = launch.get("static_shared_bytes", 0) + launch.get("dynamic_shared_bytes", 0)
        seen = {
            "grid": grid[0] * grid[1] * grid[2],
            "block": block[0] * block[1] * block[2],
            "shared": shared,
        }
        for name, value in seen.items():
            if name in known:
                self.same(name, value, int(known[name]))
        if "occupancy" in known:
            share = (part.get("occupancy") or {}).get("share", 0)
            self.near("occupancy", share, float(known["occupancy"]), 1e-9)
        if "spills" in known:
            self.same("spills", launch.get("local_bytes", 0) > 0, True)

    def bandwidth(self, evaluation: dict[str, Any]) -> None:
        """By hand from what the result says otherwise."""
        profile, ruler = evaluation["profile"], evaluation["ruler"]
        size = ruler["input_bytes"] + ruler["weight_bytes"] + ruler["output_bytes"]
        on_cpu = profile["method"] == "samples"
        certified = evaluation["candidate_time_us"]["median"]
        time = certified if on_cpu else min(certified, profile["busy_us"])
        figures = {figure["name"]: figure["value"] for figure in profile["figures"]}
        truth = size / time / 1e3
        self.near("bandwidth", figures.get("memory bandwidth", 0), truth, 1e-6 * truth)


def mistakes(evaluation: dict[str, Any], known: dict[str, str]) -> list[str]:
    """What is not as it is known to be."""
    profile = evaluation.get("profile")
    if not profile:
        return [f"{evaluation.get('verdict')}: {evaluation.get('reason')} {evaluation.get('notes')}"]
    check = Check()
    if profile["limiter"] not in known["limiter"].split("/"):
        check.same("limiter", profile["limiter"], known["limiter"])
    check.near("sum of the shares", sum(profile["shares"].values()), 1, 1e-6)
    hottest = profile["parts"][0]
    if "hottest" in known:
        check.same("hottest", known["hottest"].split(":")[0] in hottest["name"], True)
        check.part(profile, known["hottest"])
    if "also" in known:
        check.part(profile, known["also"])
    if "page_faults" in known:
        truth = float(known["page_faults"])
        check.near("page_faults", profile["page_faults"], truth, 0.05 * truth)
    if "count" in known:
        count = sum(part["count"] for part in profile["parts"])
        check.near("count", count, float(known["count"]), 1e-6)
    if "copied" in known:
        copied = sum(part["bytes"] for part in profile["parts"])
        check.near("copied", copied, float(known["copied"]), 0.5)
    check.launch(hottest, known)
    if evaluation["ruler"]:
        check.bandwidth(evaluation)
    return check.wrong


def main() -> int:
    """All of them."""
    device = sys.argv[2] if len(sys.argv) > 2 else "cpu"
    failures = 0
    for path in sorted(HERE.iterdir()):
        program = path.suffix in {".cpp", ".cu", ".py"} and path != Path(__file__)
        known = known_of(path) if program else {}
        on_cuda = path.suffix == ".cu" or known.get("device") == "cuda"
        if not known or on_cuda == (device == "cpu"):
            continue
        evaluation = profiled(path, device, known)
        wrong = mistakes(evaluation, known)
        failures += bool(wrong)
        profile = evaluation.get("profile") or {"limiter": None, "figures": []}
        figures = {figure["name"]: float(f"{figure['value']:.4g}") for figure in profile["figures"]}
        print("FAILED" if wrong else "ok", path.name, profile["limiter"], figures, *wrong, flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
