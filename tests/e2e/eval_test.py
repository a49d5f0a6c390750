"""`kernelbench eval` as people and programs call it, on cpu.

    eval_test.py KERNELBENCH
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checks import Checks

RELU = """# problem: level1/19
import torch


class {name}(torch.nn.Module):
    def forward(self, x):
        return {value}
"""
GOOD, BAD = "torch.clamp(x, min=0)", "x * 2"
PACK = """import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)


def get_inputs():
    return [torch.randn(8, 1000)]


def get_init_inputs():
    return []
"""
QUICK = ["--device", "cpu", "--no-store", "--trials", "0"]


def relu(value: str = GOOD, name: str = "ModelNew") -> str:
    """A candidate's file."""
    return RELU.format(name=name, value=value)


class Evals(Checks):
    """Calls of one command."""

    def write(self, name: str, text: str) -> None:
        """A file of the folder."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def call(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """A whole call."""
        return self.run("eval", *words, *QUICK, given=given)

    @contextlib.contextmanager
    def running(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """A call that is talked with; killed when something goes wrong."""
        program = subprocess.Popen(
            [self.program, "eval", *words, *QUICK],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
        )
        try:
            yield program
        finally:
            program.kill()
            program.wait()


def in_one_breath(evals: Evals) -> None:
    """A folder, a pattern and an answer, each with a problem of its own."""
    evals.write("kernels/good.py", relu())
    evals.write("kernels/old.py", relu(name="Model"))
    evals.write("more/answer.md", f"Sure:\n```python\n{relu(BAD)}```\n")
    done = evals.call("kernels", "more/*.md", "--json-lines")
    lines = {line["id"]: line for line in map(json.loads, done.stdout.splitlines())}
    verdicts = {name: line["verdict"] for name, line in lines.items()}
    wanted = {"kernels/good.py": "correct", "kernels/old.py": "correct"}
    evals.expect("folder and pattern", verdicts, {**wanted, "more/answer.md": "incorrect"})
    evals.expect("code", done.returncode, 1)
    notes = " ".join(lines.get("kernels/old.py", {}).get("notes", []))
    evals.expect("note", "no ModelNew" in notes, True)
    evals.expect("name", lines["more/answer.md"]["candidate"]["name"], "answer.py")


def with_a_summary(evals: Evals) -> None:
    """Standard input on two problems, of which it answers one."""
    done = evals.call("-", "--problem", "level1/19,level1/21", given=relu())
    evals.expect("two problems", "2 candidates: 1 correct, 1 incorrect" in done.stdout, True)
    evals.expect("both named", "level1/19 stdin.py" in done.stdout, True)


def of_an_own_problem(evals: Evals) -> None:
    """One file of one problem: neither its id nor a size need be said."""
    evals.write("mine.py", PACK)
    evals.write("plain.py", relu().partition("\n")[2])
    done = evals.call("plain.py", "--pack", "mine.py")
    evals.expect("own problem", "correct  mine plain.py (cpu, full" in done.stdout, True)


def mistakes(evals: Evals) -> None:
    """Found before anything is set up, or said by name."""
    none = evals.call("none.cu")
    evals.expect("no file", (none.returncode, "no such file" in none.stderr), (2, True))
    nothing = evals.call()
    evals.expect("nothing to judge", nothing.returncode, 2)
    words = [evals.program, "eval", "kernels/good.py", "--device", "cpu", "--store", "/nowhere/x.db"]
    lost = subprocess.run(words, capture_output=True, text=True, cwd=evals.folder, check=False)
    said = lost.stdout + lost.stderr
    evals.expect("store", (lost.returncode, "kept in" in said), (2, False))
    evals.write("syntax.py", relu("torch.relu((x)"))
    wrong = evals.call("syntax.py")
    evals.expect("line", "(syntax.py:8)" in wrong.stdout or "(syntax.py:7)" in wrong.stdout, True)
    evals.write("nan.py", relu("x * float('nan')"))
    shown = evals.call("nan.py").stdout
    evals.expect("NaN", ("NaN everywhere" in shown, "absolute 0" in shown), (True, False))


def oracle_of(program: int) -> list[int]:
    """The trusted processes of a program."""
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
            status = (folder / "stat").read_text() if folder.name.isdigit() else ""
            parent = status.rpartition(")")[2].split()[1:2]
            if "oracle_host.py" in words and parent == [str(program)]:
                found.append(int(folder.name))
    return found


def ask(program: subprocess.Popen[str], line: dict[str, Any] | str) -> dict[str, Any]:
    """Sends a task and waits for its answer."""
    assert program.stdin and program.stdout
    program.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
    program.stdin.flush()
    answer: dict[str, Any] = json.loads(program.stdout.readline())
    return answer


def as_lines(evals: Evals) -> None:
    """Tasks one after the other, a broken one and a candidate that dies among them."""
    with evals.running("--json-lines", "-") as program:
        first = ask(program, {"id": 1, "source": relu()})
        oracle = oracle_of(program.pid)
        evals.expect("first", (first["id"], first["verdict"]), (1, "correct"))
        evals.expect("one oracle", len(oracle), 1)
        broken = ask(program, '{"id": "b", "problem": ')
        evals.expect("broken", broken["schema"], "kernelbench/error/1")
        unknown = ask(program, {"id": "u", "problem": "level9/1", "source": relu()})
        evals.expect("unknown problem", unknown["id"], "u")
        dead = ask(program, {"id": 3, "source": relu("__import__('os')._exit(7)")})
        evals.expect("dies", dead["verdict"], "runtime_error")
        last = ask(program, {"id": 4, "source": relu(BAD), "precision": "bf16"})
        evals.expect("last", (last["verdict"], last["precision"]), ("incorrect", "bf16"))
        evals.expect("the same oracle", oracle_of(program.pid), oracle)
        assert program.stdin
        program.stdin.close()
        evals.expect("code", program.wait(), 2)


def watched(evals: Evals) -> None:
    """What is saved is judged again, until Ctrl-C."""
    evals.write("watched.py", relu(BAD))
    with evals.running("watched.py", "--watch", "--json-lines") as program:
        assert program.stdout
        evals.expect("before", json.loads(program.stdout.readline())["verdict"], "incorrect")
        evals.write("watched.py.new", relu())
        os.replace(evals.folder / "watched.py.new", evals.folder / "watched.py")
        evals.expect("after", json.loads(program.stdout.readline())["verdict"], "correct")
        program.send_signal(signal.SIGINT)
        evals.expect("code of watch", program.wait(), 0)


def interrupted(evals: Evals) -> None:
    """Ctrl-C says how far it got."""
    with evals.running("--json-lines", "-") as program:
        ask(program, {"id": 1, "source": relu()})
        program.send_signal(signal.SIGINT)
        evals.expect("code", program.wait(), 130)
        assert program.stderr
        evals.expect("said", "interrupted: 1 candidate: 1 correct" in program.stderr.read(), True)


def overlapping(spans: list[dict[str, Any]]) -> int:
    """How many begin, by more than rounding, before the one before them ends."""
    ordered = sorted(spans, key=lambda span: float(span["ts"]))
    return sum(
        later["ts"] + 1 < earlier["ts"] + earlier["dur"]
        for earlier, later in zip(ordered, ordered[1:], strict=False)
    )


def profiled(evals: Evals) -> None:
    """Where the time went; a row does one thing at a time."""
    evals.write("profiled/good.py", relu())
    evals.write("profiled/bad.py", relu(BAD))
    done = evals.call("profiled", "--profile-run", "trace.json")
    evals.expect("code", done.returncode, 1)
    for word in ("where ", "1 lane", "trials", "idle", "slots for builds"):
        evals.expect(word, word in done.stderr, True)
    events = json.loads((evals.folder / "trace.json").read_text())["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    turns = sorted(span["name"] for span in spans if span["cat"] == "trials")
    evals.expect("turns", turns, ["level1/19 bad.py", "level1/19 good.py"])
    for row in {span["tid"] for span in spans}:
        own = [span for span in spans if span["tid"] == row]
        evals.expect(f"overlapping in row {row}", overlapping(own), 0)
    for turn in (span for span in spans if span["cat"] == "trials"):
        spent = turn["args"]["spent"]
        whole = turn["dur"] / 1e6
        seconds = sum(spent[part] for part in ("load_s", "inputs_s", "compare_s"))
        evals.expect(f"{seconds} s of a turn", 0 < seconds <= whole, True)
        evals.expect("stopped and woken", 0 < spent["hold_s"] < whole, True)
        evals.expect("chains were read", spent["readings"] > 0, True)
        evals.expect("the device was opened", spent["contexts"] in (1, 2), True)
    refused = evals.call("profiled", "--profile-run", "/proc/none/trace.json")
    evals.expect("refused", refused.returncode, 2)


def main() -> int:
    """1 when something is not as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        evals = Evals(str(Path(sys.argv[1]).resolve()), Path(folder))
        for check in (
            in_one_breath,
            with_a_summary,
            of_an_own_problem,
            mistakes,
            as_lines,
            watched,
            interrupted,
            profiled,
        ):
            print(check.__name__, flush=True)
            check(evals)
    return 1 if evals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
