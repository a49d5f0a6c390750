"""The processes of a run of kernelbench, found from outside: who they are, and that none is left."""

import os
import signal
import time
from pathlib import Path

MARK = "KB_FAULT_TEST"


def children(pid: int) -> list[int]:
    """The processes that one has started."""
    found: list[int] = []
    try:
        for task in list(Path(f"/proc/{pid}/task").iterdir()):
            found += map(int, (task / "children").read_text().split())
    except (OSError, ValueError):
        pass  # it has just ended
    return found


def below(pid: int) -> list[int]:
    """All processes below one."""
    found = children(pid)
    for child in list(found):
        found += below(child)
    return found


def command(pid: int) -> str:
    """Its command line."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def kind(pid: int, main: int) -> str:
    """What a process of a run does: main, oracle, init, compiler, host or other."""
    if pid == main:
        return "main"
    words = command(pid)
    if "oracle_host.py" in words:
        return "oracle"
    if "kernelbench-candidate" in words or "candidate_host.py" in words:
        return "host"
    if any(name in words for name in ("cc1plus", "/g++", "collect2", "/ld ", "/as ")):
        return "compiler"
    return "init" if words and words == command(main) else "other"


def by_kind(main: int) -> dict[str, list[int]]:
    """The processes of a run, sorted by what they do."""
    found: dict[str, list[int]] = {"main": [main]}
    for pid in below(main):
        found.setdefault(kind(pid, main), []).append(pid)
    return found


def send(pid: int, number: int) -> bool:
    """Whether there was somebody to take the signal."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def stop_for(pid: int, seconds: float) -> bool:
    """Stops a process for a while."""
    if not send(pid, signal.SIGSTOP):
        return False
    time.sleep(seconds)
    send(pid, signal.SIGCONT)
    return True


def marked(mark: str) -> list[int]:
    """The processes that have the mark in their environment, jailed ones among them."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def wait_for_none(mark: str, seconds: float = 60) -> list[int]:
    """The processes that are still there after so long."""
    end = time.monotonic() + seconds
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return left
