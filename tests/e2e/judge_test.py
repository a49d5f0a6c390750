"""The Python package on cpu, as a training loop uses it.

    judge_test.py PACKAGES KERNELBENCH [CALLS]

CALLS (default 10) calls of `score` over the problems, then a batch of 16 at once from an event
loop, a candidate that ends its process among them.
"""

import asyncio
import os
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
os.environ["KB_PROGRAM"] = str(Path(sys.argv[2]).resolve())

from kernelbench import Evaluation, Judge, JudgeError, Task, TaskError, Verdict  # noqa: E402

CODE = """import torch


class ModelNew(torch.nn.Module):
    def forward(self, *x):
        return {value}
"""
# The value that is right for each problem.
PROBLEMS = {
    "level1/19": "torch.relu(x[0])",
    "level1/21": "torch.sigmoid(x[0])",
    "level1/22": "torch.tanh(x[0])",
    "level1/25": "x[0] * torch.sigmoid(x[0])",
    "level1/28": "torch.nn.functional.hardsigmoid(x[0])",
}
FAILED: list[str] = []


def expect(what: str, found: object, wanted: object) -> None:
    """Remembers what is not as it should be."""
    if found != wanted:
        FAILED.append(f"{what}: {found!r}, wanted {wanted!r}")


def oracles(program: int | None) -> list[str]:
    """The trusted processes of the program, with when each was started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if b"oracle_host.py" in words and fields[1] == str(program):
            found.append(f"{folder.name} {fields[19]}")
    return found


def memory(program: int | None) -> int:
    """What the program itself holds, in KiB."""
    for line in Path(f"/proc/{program}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def many_calls(judge: Judge, calls: int) -> None:
    """The oracle stays, and the program does not grow."""
    seen: set[str] = set()
    first = 0
    for number in range(calls):
        problem, value = list(PROBLEMS.items())[number % len(PROBLEMS)]
        result = judge.score(problem, CODE.format(value=value))
        expect(problem, result.verdict, Verdict.CORRECT)
        seen.update(oracles(judge.pid))
        first = first or memory(judge.pid)
    expect("oracles started", len(seen), 1)
    grown = memory(judge.pid) - first
    print(f"{calls} calls, {len(seen)} oracle, grown by {grown} KiB")
    expect("grown", grown < 16 << 10, True)


def batch() -> list[Task | tuple[str, str]]:
    """16 tasks, the eighth of which ends its process."""
    relu = ("level1/19", CODE.format(value="torch.relu(x[0])"))
    tasks: list[Task | tuple[str, str]] = [relu] * 16
    tasks[7] = Task("level1/19", CODE.format(value="__import__('os')._exit(3)"), name="dies.py")
    tasks[8] = Task("level1/19", f"Here:\n```python\n{CODE.format(value='x[0] * 2')}```\n")
    return tasks


async def at_once(judge: Judge) -> list[Evaluation]:
    """Two batches in one event loop."""
    one, other = await asyncio.gather(
        judge.score_batch_async(batch()), judge.score_async(*batch()[0])
    )
    expect("beside a batch", other.verdict, Verdict.CORRECT)
    return one


def main() -> int:
    """1 when something is not as it should be."""
    calls = int(sys.argv[3]) if len(sys.argv) > 3 else 10  # noqa: PLR2004
    with Judge(device="cpu", policy="kernelbench", trials=0) as judge:
        many_calls(judge, calls)
        results = asyncio.run(at_once(judge))
        verdicts = [result.verdict for result in results]
        wanted = [Verdict.CORRECT] * 16
        wanted[7:9] = [Verdict.RUNTIME_ERROR, Verdict.INCORRECT]
        expect("batch", verdicts, wanted)
        expect("name", results[7].candidate, "dies.py")
        expect("mismatch", results[8].mismatch is not None, True)
        try:
            judge.score("level9/1", CODE)
            expect("unknown problem", "judged", "TaskError")
        except TaskError as error:
            expect("says which", "level9/1" in str(error), True)
        expect("goes on", judge.score(*batch()[0]).correct, True)
    expect("ended", judge.pid, None)
    with Judge(device="cpu", trials=1) as judge:
        speedup = judge.score(*batch()[0]).speedup
        expect("timed", speedup is not None and speedup.estimate > 0, True)
    try:
        Judge(device="tpu").score("level1/19", CODE)
        expect("unknown device", "judged", "JudgeError")
    except JudgeError as error:
        expect("says why", "tpu" in str(error), True)
    for text in FAILED:
        print("FAILED", text)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
