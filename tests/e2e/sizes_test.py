"""Candidates at several sizes of a problem, on cpu.

sizes_test.py KERNELBENCH

One that has a size built in is right there and nowhere else. What is said over all
sizes is computed once more here, from what is said of each.
"""

import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

from checks import Checks

PROBLEM = """import torch

N = 4096


class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2


def get_inputs():
    return [torch.rand(N)]


def get_init_inputs():
    return []
"""
NOTES = """["1"]
hidden = []
sizes = { many = { N = 20000 }, odd = { N = 4099 } }
"""
CANDIDATE = """// problem: level1/1
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = COUNT;
  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
  return 0;
}
"""
ANY_COUNT = CANDIDATE.replace("COUNT", "kb::numel(call->outputs[0])")
BUILT_IN = CANDIDATE.replace("COUNT", "4096")
ON_CPU = ["--pack", ".", "--device", "cpu", "--policy", "kernelbench"]


def mean_of(intervals: list[dict[str, float]]) -> dict[str, float]:
    """Geometric mean, with errors that are independent (docs/scores.md)."""
    n = len(intervals)
    mean = math.prod(i["estimate"] for i in intervals) ** (1 / n)
    up = math.hypot(*(math.log(i["high"] / i["estimate"]) for i in intervals)) / n
    down = math.hypot(*(math.log(i["estimate"] / i["low"]) for i in intervals)) / n
    return {"estimate": mean, "low": mean / math.exp(down), "high": mean * math.exp(up)}


def same(found: dict[str, float], wanted: dict[str, float]) -> bool:
    """But for rounding."""
    return all(math.isclose(found[key], wanted[key], rel_tol=1e-9) for key in wanted)


def verdicts(evaluation: dict[str, Any]) -> list[tuple[str, str]]:
    """At each size."""
    return [(at["size"], at["verdict"]) for at in evaluation["sizes"]]


def check_verdicts(checks: Checks) -> None:
    """One session for all, so that PyTorch starts once."""
    wishes = {"right": (ANY_COUNT, "all"), "there": (BUILT_IN, "full"),
              "list": (BUILT_IN, "full,odd"), "stop": (BUILT_IN, "many,odd"),
              "one": (ANY_COUNT, "odd")}
    given = "".join(
        json.dumps({"id": key, "name": "a.cpp", "source": source, "size": size}) + "\n"
        for key, (source, size) in wishes.items()
    )
    words = ["eval", "--json-lines", "-", *ON_CPU, "--trials", "4", "--processes", "1", "--store", "kept.db"]
    done = checks.run(*words, given=given)
    found = {e["id"]: e for e in map(json.loads, done.stdout.splitlines())}
    checks.expect("exit code", done.returncode, 1)
    checks.expect("ids", sorted(found), sorted(wishes))

    right = found["right"]
    checks.expect("sizes", verdicts(right),
                  [("full", "correct"), ("many", "correct"), ("odd", "correct")])
    checks.expect("over all", (right["verdict"], right["size"]), ("correct", "all"))
    for key in ("speedup", "wall_speedup"):
        of_each = [at[key] for at in right["sizes"]]
        checks.expect(key, same(right[key], mean_of(of_each)), True)
    checks.expect("trials", [len([t for t in at["trials"] if t["timed"]]) for at in right["sizes"]],
                  [4, 4, 4])

    checks.expect("where it is right", found["there"]["verdict"], "correct")
    checks.expect("at one size", "sizes" in found["there"] or "sizes" in found["one"], False)
    checks.expect("the list", verdicts(found["list"]), [("full", "correct"), ("odd", "incorrect")])
    checks.expect("stopped", len(found["stop"]["sizes"]), 1)
    checks.expect("text", found["list"]["reason"].startswith("at size odd: "), True)
    checks.expect("speedup of the list", found["list"]["speedup"], None)


def check_what_is_shown(checks: Checks) -> None:
    """By eval below the verdict, and on the page of what was kept."""
    (checks.folder / "right.cpp").write_text(ANY_COUNT)
    done = checks.run("eval", "right.cpp", *ON_CPU, "--size", "full,odd", "--trials", "0",
                      "--no-store")
    rows = [line.split() for line in done.stdout.splitlines()]
    checks.expect("rows", [row for row in rows if row[-1:] == ["correct"]],
                  [["sizes", "full", "correct"], ["odd", "correct"]])
    done = checks.run("report", "kept.db", "--pack", ".", "--out", "page.html")
    checks.expect("report", done.returncode, 0)
    done = checks.run("problems", "show", "level1/1", "--pack", ".")
    checks.expect("problems show", "# sizes: full many odd" in done.stdout, True)


def check_a_run(checks: Checks) -> None:
    """A model that gives one answer which is right everywhere and one that is not."""
    home = checks.folder / "answers"
    home.mkdir()
    for sample, source in enumerate([ANY_COUNT, BUILT_IN]):
        (home / f"answer_{sample}.cpp").write_text(source)
    words = ["run", "--model", "replay:answers", *ON_CPU, "--backend", "cpp", "--trials", "0",
             "--size", "full,odd", "--store", "run.db"]
    done = checks.run(*words)
    checks.expect("run", done.returncode, 0)
    checks.expect("run says", "1 correct, 1 incorrect" in done.stdout + done.stderr, True)
    again = checks.run(*words)
    checks.expect("the same again", (again.returncode, "correct" in again.stderr), (0, False))
    shown = json.loads(checks.run("analyze", "run.db", "--pack", ".", "--json").stdout)
    fast = {at["p"]: at["value"]["estimate"] for row in shown["rows"]
            if row["scope"] == "all" for at in row["fast_p"]}
    checks.expect("fast_0", fast[0.0], 0.5)
    done = checks.run("run", "--model", "replay:answers", *ON_CPU, "--size", "all", "--baseline",
                      "compile", "--store", "other.db")
    checks.expect("baseline", (done.returncode, "over eager alone" in done.stderr), (2, True))
    done = checks.run("prompt", "show", "level1/1", "--pack", ".", "--size", "all")
    checks.expect("prompt show", (done.returncode, "judged at several sizes" in done.stdout),
                  (0, True))


def check_refusals(checks: Checks) -> None:
    """What is wrong, and what there is."""
    for words, part in [
        (["eval", "right.cpp", "--size", "full,tall"], "its sizes are full, many, odd"),
        (["baseline", "--size", "all"], "only kernelbench eval, run and prompt show take several sizes"),
        (["audit", "--references", "--size", "tall"], "level1/1 has full, many, odd"),
    ]:
        done = checks.run(*words, *ON_CPU)
        checks.expect(" ".join(words), (done.returncode, part in done.stderr), (2, True))


def main() -> int:
    """All of it, in a folder with a pack of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "level1").mkdir()
        (folder / "level1/1_Double.py").write_text(PROBLEM)
        (folder / "level1/problems.toml").write_text(NOTES)
        checks = Checks(sys.argv[1], folder)
        check_verdicts(checks)
        check_what_is_shown(checks)
        check_a_run(checks)
        check_refusals(checks)
        print("not as it should be:", checks.failed)
        return int(checks.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
