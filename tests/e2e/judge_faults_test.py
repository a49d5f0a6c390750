"""The Python package beside a program that misbehaves, and callers that do.

    judge_faults_test.py PACKAGES
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

sys.path.insert(0, sys.argv[1])

from kernelbench import Judge, JudgeError  # noqa: E402

PATIENCE = 60  # seconds; nothing here takes as many
# Answers each task with an error after so many seconds. Some tasks make it misbehave.
PROGRAM = """#!{python}
import json, os, sys, time
for line in sys.stdin:
    task = json.loads(line)
    time.sleep({delay})
    answer = {{"schema": "kernelbench/error/1", "id": task["id"], "error": "answered"}}
    if task["source"] == "half":
        os.write(1, json.dumps(answer)[:30].encode())
        os.kill(os.getpid(), 9)
    if task["source"] == "nobody":
        answer["id"] = None
    if task["source"] == "bare":
        answer = {{"id": task["id"]}}
    if task["source"] == "flood":
        print("rubbish", "x" * 500000, sep="\\n")
    if task["source"] == "new":
        answer["schema"] = "kernelbench/evaluation/1"
    print(json.dumps(answer), flush=True)
"""
FAILED: list[str] = []


def expect(what: str, found: object, wanted: object) -> None:
    """Remembers what is not as it should be."""
    if found != wanted:
        FAILED.append(f"{what}: {found!r}, wanted {wanted!r}")


def outcome(answer: "Future[Any]") -> str:
    """The name of what it raised."""
    try:
        return str(answer.result(PATIENCE))
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


def within(what: str, call: Callable[[], Any]) -> float:
    """Seconds that a call took in a thread of its own, which may hang."""
    begin = time.monotonic()
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    expect(f"{what} hangs", thread.is_alive(), False)
    return time.monotonic() - begin


def program(folder: Path, delay: float) -> Path:
    """One that answers after so many seconds."""
    path = folder / f"answers_{delay}"
    path.write_text(PROGRAM.format(python=sys.executable, delay=delay))
    path.chmod(0o755)
    return path


def answers(folder: Path) -> None:
    """Every task ends, whatever the program says."""
    judge = Judge(program=program(folder, 0))
    expect("surrogate", outcome(judge.submit("level1/19", "x = '\ud800'")), "TaskError")
    expect("next", outcome(judge.submit("level1/19", "x")), "TaskError")
    expect("unknown answer", outcome(judge.submit("level1/19", "new")), "JudgeError")
    expect("goes on", outcome(judge.submit("level1/19", "x")), "TaskError")
    for fault in ("half", "nobody", "bare", "flood"):
        expect(fault, outcome(judge.submit("level1/19", fault)), "JudgeError")
        # The next one is started by whoever comes after the old one is over.
        until = time.monotonic() + PATIENCE
        while judge.pid is not None and time.monotonic() < until:
            time.sleep(0.01)
        expect(f"after {fault}", outcome(judge.submit("level1/19", "x")), "TaskError")
    judge.submit("level1/19", "x").add_done_callback(lambda _: sys.exit(1))
    expect("after a callback", outcome(judge.submit("level1/19", "x")), "TaskError")
    within("close", judge.close)


def closing(folder: Path) -> None:
    """Callbacks, other threads and forked processes do not stop it."""
    judge = Judge(program=program(folder, 0.2))
    said: list[str] = []

    def again(_: "Future[Any]") -> None:
        try:
            judge.submit("level1/19", "y")
        except JudgeError as error:
            said.append(str(error))

    judge.submit("level1/19", "x").add_done_callback(again)
    within("close with a callback", judge.close)
    expect("submit while closing", said, ["the judge is being closed"])

    judge = Judge(program=program(folder, 1000))
    late = judge.submit("level1/19", "x")
    waiting = threading.Thread(target=judge.close, daemon=True)
    waiting.start()
    time.sleep(0.2)
    within("abandon while closing", lambda: judge.close(abandon=True))
    expect("abandoned", outcome(late), "JudgeError")

    judge = Judge(program=program(folder, 0))
    outcome(judge.submit("level1/19", "x"))
    child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(1000,))
    child.start()
    within("close beside a forked process", judge.close)
    child.kill()


def forgetting(folder: Path) -> None:
    """A judge stays for who waits, and no longer."""
    answer = Judge(program=program(folder, 0.2)).submit("level1/19", "x")
    expect("of a forgotten judge", outcome(answer), "TaskError")
    script = (
        f"import sys; sys.path.insert(0, {sys.argv[1]!r})\n"
        "from kernelbench import Judge\n"
        f"judge = Judge(program={str(program(folder, 1000))!r})\n"
        "judge.submit('level1/19', 'x')\nsys.exit(7)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], timeout=PATIENCE, check=False)
    expect("exit code", done.returncode, 7)


def finding(folder: Path) -> None:
    """A program in the working folder is meant by ./."""
    os.chdir(folder)
    os.environ["KB_PROGRAM"] = f"./{program(folder, 0).name}"
    for judge in (Judge(), Judge(program=os.environ["KB_PROGRAM"])):
        expect("in this folder", outcome(judge.submit("level1/19", "x")), "TaskError")
        judge.close()
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    os.chdir("/")
    judge = Judge(program=program(folder, 0).name)
    expect("on PATH", outcome(judge.submit("level1/19", "x")), "TaskError")
    judge.close()


def main() -> int:
    """1 when something is not as it should be."""
    with tempfile.TemporaryDirectory() as name:
        for part in (answers, closing, forgetting, finding):
            part(Path(name))
    for text in FAILED:
        print("FAILED", text)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
