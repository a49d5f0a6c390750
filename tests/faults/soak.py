"""Judges many candidates in one process and writes what that takes as it goes on.

    soak.py KERNELBENCH SAMPLES OUT [--evaluations N] [--minutes N]

OUT gets a line now and then: seconds, evaluations so far, resident MB and open descriptors of the
orchestrator and of the oracle. By hand: 2,000 evaluations take six minutes on two cores.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import processes

# Right, wrong and dying ones, native, on one problem.
KERNELS = ["loop", "misses_tail", "exits_in_forward", "segfault", "no_forward", "compile_error"]
COLUMNS = "seconds  evaluations  orchestrator_mb  descriptors  oracle_mb  descriptors"


def usage(pid: int) -> str:
    """Resident MB and open descriptors."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return f"{pages * 4 / 1024:8.0f} {len(list(Path(f'/proc/{pid}/fd').iterdir())):6}"
    except OSError:
        return "       -      -"


def judged(log: Path) -> int:
    """How many evaluations the run has said so far."""
    return sum(line.startswith("[") for line in log.read_text(errors="replace").splitlines())


def watch(
    run: subprocess.Popen[bytes], log: Path, out: Path, total: int, minutes: float
) -> None:
    """Writes lines until the process has ended, which it does when the time is over."""
    start = time.monotonic()
    with open(out, "w", encoding="utf-8") as file:
        file.write(COLUMNS + "\n")
        while run.poll() is None:
            time.sleep(10)
            if time.monotonic() - start > 60 * minutes:
                run.send_signal(signal.SIGINT)
            oracle = processes.by_kind(run.pid).get("oracle", [0])[0]
            file.write(
                f"{time.monotonic() - start:8.0f} {min(judged(log), total):6} "
                f"{usage(run.pid)} {usage(oracle)}\n"
            )
            file.flush()


def main() -> int:
    """The exit code: 0 when everything got a verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernelbench", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("samples", type=lambda path: Path(path).resolve())
    parser.add_argument("out", type=Path)
    parser.add_argument("--evaluations", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=600)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        command = [options.kernelbench, "eval", "--device", "cpu", "--problem", "level1/19"]
        command += ["--trials", "0", "--store", f"{name}/soak.db"]
        for i in range(options.evaluations):
            kernel = f"{KERNELS[i % len(KERNELS)]}.cpp"
            # A file of its own: one that is named twice is judged once.
            copy = Path(name) / f"{i}-{kernel}"
            copy.write_bytes((options.samples / "level1_19_relu" / kernel).read_bytes())
            command += ["--candidate", str(copy)]
        log = Path(name) / "log"
        with open(log, "wb") as output:
            run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=output)
        watch(run, log, options.out, options.evaluations, options.minutes)
        done = judged(log)
        # 1: some are wrong, as they should be; 130: the time was over.
        if run.returncode == 130 or (run.returncode == 1 and done >= options.evaluations):
            return 0
        last = log.read_text(errors="replace").splitlines()[-5:]
        print(f"exit code {run.returncode} after {done} evaluations", *last, sep="\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
