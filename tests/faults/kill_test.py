"""Kills, stops and starves a run of a scripted model, and compares its final table with that of an
undisturbed one: samples, verdicts, tokens and USD must be equal, and nothing be left on the machine.

    kill_test.py KERNELBENCH SAMPLES [--faults N] [--samples-each N] [--seed N]
                 [--minutes N] [--report FILE]

By hand: --faults 200 --samples-each 20 (60 candidates). What a seed does first is the same each time;
when it happens depends on the machine.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import processes
import runs
import scripted_model

PROBLEMS = list(scripted_model.KERNELS)
# By how often; a host (a candidate's process) that is killed twice in one judgement is to blame.
FAULTS = {
    "kill main": 5,
    "kill oracle": 2,
    "kill init": 2,
    "kill compiler": 2,
    "stop oracle": 1,
    "stop host": 1,
    "fill disk": 1,
}
STOPPED_SECONDS = 1.0
LONGEST_PAUSE = 5.0  # between two faults: a run judges its first sample after about 4
OPEN_ANSWERS = 4
LONGEST_RUN = 900


def wait_for(run: subprocess.Popen[bytes], kind: str, seconds: float) -> list[int]:
    """The processes of a kind that the run has, or soon has."""
    end = time.monotonic() + seconds
    while run.poll() is None and time.monotonic() < end:
        found = processes.by_kind(run.pid).get(kind, [])
        if found:
            return found
        time.sleep(0.01)
    return []


class Disk:
    """A small disk of the run's own that can be filled; none where we may not mount one."""

    def __init__(self, folder: Path) -> None:
        """Mounts it."""
        self.folder = folder
        folder.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=600m", "tmpfs", str(folder)], capture_output=True
        )
        self.is_own = mounted.returncode == 0

    def fill_for(self, seconds: float) -> None:
        """Leaves no byte free for a while."""
        filler = self.folder / "filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 20))
        except OSError:
            time.sleep(seconds)
        finally:
            filler.unlink(missing_ok=True)

    def close(self) -> None:
        """Takes it away."""
        if self.is_own:
            subprocess.run(["umount", "-l", str(self.folder)], check=False)


class Driver:
    """Disturbs one run until so many faults have been done and the run is through."""

    def __init__(
        self, place: runs.Place, disk: Disk, faults: int, seed: int, minutes: float
    ) -> None:
        """`faults`: so many, or as many as there is time for."""
        self.end = time.monotonic() + 60 * minutes
        self.place = place
        self.disk = disk
        self.wanted = faults
        self.random = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()
        self.at_work = 0  # faults that met a candidate that was built or judged
        self.store = place.folder / "disturbed.db"
        self.seen: set[int] = set()

    def is_over(self) -> bool:
        """No fault is left to do."""
        return self.total() >= self.wanted or time.monotonic() > self.end

    def total(self) -> int:
        """Faults so far."""
        return sum(self.done.values())

    def answers(self) -> int:
        """How many samples may have an answer by now: the last one only after the last fault, so
        that the run is not through before it."""
        later = sum(self.place.problems.values()) - OPEN_ANSWERS
        return OPEN_ANSWERS + later * self.total() // self.wanted

    def disturb(self, run: subprocess.Popen[bytes]) -> None:
        """One fault, if its turn comes while the run lasts."""
        names = [n for n in FAULTS if n != "fill disk" or self.disk.is_own]
        fault = self.random.choices(names, [FAULTS[n] for n in names])[0]
        end = time.monotonic() + self.random.uniform(0, LONGEST_PAUSE)
        while run.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        self.seen.update(processes.below(run.pid))
        kinds = processes.by_kind(run.pid)
        if run.poll() is None and self.do(fault, run):
            self.done[fault] += 1
            self.at_work += any(kinds.get(kind) for kind in ("compiler", "host"))

    def do(self, fault: str, run: subprocess.Popen[bytes]) -> bool:
        """Whether there was anybody to do it to."""
        if fault == "fill disk":
            self.disk.fill_for(STOPPED_SECONDS)
            return True
        how, whom = fault.split()
        victims = wait_for(run, whom, 5)
        if not victims:
            return False
        victim = self.random.choice(victims)
        if how == "stop":
            return processes.stop_for(victim, STOPPED_SECONDS)
        return processes.send(victim, signal.SIGKILL)

    def run(self) -> None:
        """Until the run is through and no fault is left to do."""
        while True:
            run = self.place.start(self.place.command(self.store.name), "disturbed.log")
            while run.poll() is None and not self.is_over():
                self.disturb(run)
            try:
                code = run.wait(LONGEST_RUN)
            except subprocess.TimeoutExpired:
                run.kill()
                raise AssertionError(f"hangs: {self.place.tail('disturbed.log')}") from None
            self.codes[code] += 1
            if code not in (0, 1, 3, -signal.SIGKILL):
                raise AssertionError(f"exit code {code}: {self.place.tail('disturbed.log')}")
            if code == 0 and self.is_over():
                return


def judge(place: runs.Place, driver: Driver) -> list[str]:
    """What is not as it should be."""
    undisturbed = runs.table(place.folder / "undisturbed.db")
    disturbed = runs.table(driver.store)
    wrong = runs.wrong_lines(place, driver.store)
    for before, after in zip(undisturbed, disturbed):
        if before != after:
            wrong.append(f"{before} became {after}")
    if len(undisturbed) != len(disturbed):
        wrong.append(f"{len(disturbed)} samples, not {len(undisturbed)}")
    # The last command sweeps what the killed ones left.
    wrong += [f"left behind: {what}" for what in runs.left_behind(place)]
    wrong += [f"still there: {p}" for p in driver.seen if processes.MARK in processes.command(p)]
    return wrong


def describe(driver: Driver, place: runs.Place, seconds: float) -> str:
    """What was done and what came of it."""
    lines = runs.table(driver.store)
    verdicts = Counter(line.verdict for line in lines)
    return (
        f"{driver.total()} faults in {seconds:.0f} s, {driver.at_work} of them while a candidate "
        + "was built or judged: "
        + ", ".join(f"{n} x {name}" for name, n in sorted(driver.done.items()))
        + f"\nruns by exit code: {dict(sorted(driver.codes.items()))}\n"
        + f"{len(lines)} samples: {dict(sorted(verdicts.items()))}\n"
        + f"tokens {sum(l.tokens[0] for l in lines)} in, {sum(l.tokens[1] for l in lines)} out, "
        + f"{sum(l.usd for l in lines):.9f} USD\n"
    )


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernelbench", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("samples", type=lambda path: Path(path).resolve())
    parser.add_argument("--faults", type=int, default=6)
    parser.add_argument("--samples-each", type=int, default=3)
    parser.add_argument("--problems", type=int, default=len(PROBLEMS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="then no more faults")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        folder = Path(name) / "disk"
        disk = Disk(folder)
        try:
            with scripted_model.ScriptedModel(options.samples) as model:
                asked = model.write_files(folder)
                problems = {p: options.samples_each for p in PROBLEMS[: options.problems]}
                place = runs.Place(options.kernelbench, options.samples, folder, asked, problems)
                first = place.start(place.command("undisturbed.db"), "undisturbed.log")
                if first.wait() != 0:
                    print(place.tail("undisturbed.log"))
                    return 1
                driver = Driver(place, disk, options.faults, options.seed, options.minutes)
                model.asked.clear()
                model.answers = lambda: sys.maxsize if driver.is_over() else driver.answers()
                start = time.monotonic()
                driver.run()
                text = describe(driver, place, time.monotonic() - start)
                wrong = judge(place, driver)
        finally:
            disk.close()
    return runs.conclude(text, wrong, "equal to the undisturbed run, and nothing left", options.report)


if __name__ == "__main__":
    sys.exit(main())
