"""What the scripts of this folder share: candidates made of problems and
samples, calls of `kernelbench eval`, and tables with bounds.
"""

import argparse
import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
Evaluation = dict[str, Any]  # as `kernelbench eval --json` prints it
AS_IT_IS = "class ModelNew({model}):\n    pass\n"


@dataclass
class Call:
    """One `kernelbench eval`."""

    size: str
    paths: list[Path] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    kernelbench: Path | None = None  # another program than the options name


def parser(doc: str | None, seconds: float) -> argparse.ArgumentParser:
    """The options that every script has."""
    raw = argparse.RawDescriptionHelpFormatter
    made = argparse.ArgumentParser(description=doc, formatter_class=raw)
    add_options(made, seconds)
    return made


def add_options(made: argparse.ArgumentParser, seconds: float) -> None:
    """Those of what judges."""
    binary = ROOT / "build/dist/bin/kernelbench"
    made.add_argument("--kernelbench", type=Path, default=binary, metavar="PATH")
    made.add_argument("--device", default="", help="cuda:N or cpu (default: the best)")
    made.add_argument("--limit", type=int, default=10**6, help="no more than so many")
    stop = "stop after (default %(default)s)"
    made.add_argument("--seconds", type=float, default=seconds, help=stop)
    made.add_argument("--flags", default="", help="more options of kernelbench eval")
    made.add_argument("--out", type=Path, help="write the table there too")


def samples(options: argparse.Namespace) -> Path:
    """The folder of samples that belongs to the binary."""
    beside = options.kernelbench.resolve().parent.parent / "samples"
    return beside if beside.is_dir() else ROOT / "samples"


def shown(options: argparse.Namespace, problem: str, size: str) -> dict[str, Any]:
    """What `problems show` says: among others the source that runs."""
    command = [options.kernelbench, "problems", "show", problem, "--size", size]
    said: dict[str, Any] = json.loads(subprocess.check_output([*command, "--json"]))
    return said


def reference(
    options: argparse.Namespace, problem: str, size: str, tail: str = AS_IT_IS
) -> str:
    """A problem's own reference as the text of a Python candidate. `tail` defines
    ModelNew from {model}."""
    said = shown(options, problem, size)
    header = f"# expect: correct\n# problem: {problem}\n"
    return f"{header}{said['source']}\n\n{tail.format(model=said['reference'])}"


def written(path: Path, text: str) -> Path:
    """A file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def judge(
    options: argparse.Namespace, calls: Sequence[Call], part: float = 1
) -> list[Evaluation]:
    """What came out before this part of the time was up or somebody pressed Ctrl-C.
    Each call has a share by the number of its candidates, and what others left."""
    calls = [call for call in calls if call.paths]
    total = sum(len(call.paths) for call in calls)
    found: list[Evaluation] = []
    begin, done = time.monotonic(), 0
    for call in calls:
        done += len(call.paths)
        until = begin + part * options.seconds * done / total
        evaluations, by_hand = run_eval(options, call, until - time.monotonic())
        found += evaluations
        if by_hand:
            break
    if len(found) < total:
        print(f"stopped: {len(found)} of {total} judged", file=sys.stderr)
    return found


def run_eval(
    options: argparse.Namespace, call: Call, seconds: float
) -> tuple[list[Evaluation], bool]:
    """What one call judged, and whether it was stopped by hand."""
    command = [call.kernelbench or options.kernelbench, "eval", "--no-store", "--json"]
    flags = [*call.flags, *shlex.split(options.flags)]
    # Times of the problem's own inputs, unless another policy is asked for.
    command += ["--size", call.size, *flags]
    command += [] if "--policy" in flags else ["--policy", "kernelbench"]
    command += ["--device", options.device] if options.device else []
    done, by_hand = run_for([*command, "--candidate", *call.paths], seconds)
    if not done.stdout.strip():
        sys.exit(f"kernelbench eval said nothing (exit code {done.returncode})")
    return json.loads(done.stdout)["evaluations"], by_hand


def profiled(
    options: argparse.Namespace,
    paths: Sequence[Path],
    flags: Sequence[str],
    cache: Path,
    profile: Path,
    meanwhile: Callable[[int], None] = lambda process: None,
    size: str = "small",
) -> list[Evaluation]:
    """Of one whole call, with a cache of its own and a profile of the run. `meanwhile` is
    called with the number of its process."""
    command = [options.kernelbench, "eval", "--no-store", "--json", "--size", size]
    command += ["--policy", "kernelbench", "--profile-run", profile]
    command += [*flags, *shlex.split(options.flags), "--candidate", *paths]
    env = {**os.environ, "KB_CACHE": str(cache)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as process:
        meanwhile(process.pid)
        said, _ = process.communicate()
    evaluations: list[Evaluation] = json.loads(said)["evaluations"]
    return evaluations


def run_for(
    command: Sequence[str | Path], seconds: float
) -> tuple[subprocess.CompletedProcess[bytes], bool]:
    """A command of kernelbench, and whether it was stopped by hand. It is interrupted
    when time is up, and then says what it has."""
    by_hand = False
    with tempfile.TemporaryFile() as said:
        # A session of its own, so that Ctrl-C reaches it once, from here.
        process = subprocess.Popen(command, stdout=said, start_new_session=True)
        try:
            process.wait(max(seconds, 1))
        except (subprocess.TimeoutExpired, KeyboardInterrupt) as stop:
            by_hand = isinstance(stop, KeyboardInterrupt)
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
        said.seek(0)
        text = said.read()
    return subprocess.CompletedProcess(command, process.returncode, text), by_hand


def key(evaluation: Evaluation) -> str:
    """Names an evaluation: problem, size and file."""
    name = evaluation["candidate"]["name"]
    return f"{evaluation['problem']} {evaluation['size']} {name}"


def machine(evaluations: Sequence[Evaluation]) -> str:
    """Where and when, for a title."""
    if not evaluations:
        return "nothing was judged"
    device = evaluations[-1]["device"]
    named = [device.get(part, "") for part in ("name", "driver", "torch")]
    day = evaluations[-1]["started_at"][:10]
    return ", ".join(part for part in [device["device"], *named, day] if part)
