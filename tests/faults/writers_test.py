"""Several processes work on one store at the same time: runs of a scripted model, which take turns,
evaluations, which only add, and readers. No sample may be lost, doubled or misattributed.

    writers_test.py KERNELBENCH SAMPLES [--processes N] [--seconds N] [--samples-each N] [--report FILE]

By hand: --processes 8 --seconds 600 --samples-each 20.
"""

import argparse
import random
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import runs
import scripted_model

KERNEL = "level1_19_relu/loop.cpp"
IN_USE = "is being written by process"


class Writers:
    """Threads that start one process after the other."""

    def __init__(self, place: runs.Place, seconds: float) -> None:
        """For so long."""
        self.place = place
        self.end = time.monotonic() + seconds
        self.lock = threading.Lock()
        self.done: Counter[str] = Counter()
        self.evaluated: Counter[str] = Counter()  # sources that were added to the store
        self.wrong: list[str] = []

    def note(self, what: str, wrong: bool = False) -> None:
        """Counts, or complains."""
        with self.lock:
            if wrong:
                self.wrong.append(what)
            else:
                self.done[what] += 1

    def work(self, number: int) -> None:
        """One process after the other, each another kind, until one goes wrong."""
        dice = random.Random(number)
        turn = 0
        while time.monotonic() < self.end and not self.wrong:
            turn += 1
            action = dice.choice([self.run, self.run, self.evaluate, self.read])
            action(f"{number}-{turn}")

    def finish(self, command: list[str], name: str) -> tuple[int, str]:
        """Its exit code and what it said."""
        log = f"log-{name}"
        code = self.place.start(command, log).wait()
        text = (self.place.folder / log).read_text(errors="replace")
        (self.place.folder / log).unlink()
        return code, text

    def run(self, name: str) -> None:
        """A run, which goes on or says who has the store."""
        code, said = self.finish(self.place.command("store.db"), name)
        if code == 2 and IN_USE in said:
            self.note("run that was told who has the store")
        elif code == 0:
            self.note("run that came to its end")
        else:
            self.note(f"run: exit code {code}: {said[-500:]}", wrong=True)

    def evaluate(self, name: str) -> None:
        """An evaluation of a file of its own."""
        text = f"// {name}\n" + (self.place.samples / KERNEL).read_text()
        file = self.place.folder / f"own-{name}.cpp"
        file.write_text(text)
        code, said = self.finish(
            [
                *[self.place.kernelbench, "eval", "--device", "cpu", "--trials", "0", "--problem"],
                *["level1/19", "--store", str(self.place.folder / "store.db"), "--candidate"],
                str(file),
            ],
            name,
        )
        if code != 0:
            return self.note(f"eval: exit code {code}: {said[-500:]}", wrong=True)
        with self.lock:
            self.evaluated[text] += 1
        return self.note("evaluation")

    def read(self, name: str) -> None:
        """A reader."""
        store = self.place.folder / "store.db"
        if not store.exists():
            return time.sleep(0.1)
        code, said = self.finish([self.place.kernelbench, "runs", "show", str(store)], name)
        if code == 0:
            return self.note("reader")
        return self.note(f"reader: exit code {code}: {said[-500:]}", wrong=True)


def check(place: runs.Place, writers: Writers) -> list[str]:
    """What is lost, doubled or misattributed."""
    store = place.folder / "store.db"
    wrong = writers.wrong + runs.wrong_lines(place, store)
    with sqlite3.connect(store) as database:
        twice = database.execute(
            "SELECT problem_id, sample, count(*) FROM evaluations WHERE model != '' AND"
            " ifnull(verdict, '') != 'infra_error' GROUP BY model, problem_id, sample"
            " HAVING count(*) > 1"
        ).fetchall()
        kept = Counter(
            bytes(text).decode()
            for (text,) in database.execute(
                "SELECT bytes FROM evaluations JOIN blobs ON hash = source_hash WHERE model = ''"
            )
        )
    wrong += [f"judged {n} times: {problem} sample {sample}" for problem, sample, n in twice]
    wrong += [f"{kept[t]} results, not {n}: {t[:20]}" for t, n in writers.evaluated.items() if kept[t] != n]
    wrong += [f"unknown result: {text[:20]}" for text in kept if text not in writers.evaluated]
    return wrong + [f"left behind: {what}" for what in runs.left_behind(place)]


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernelbench", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("samples", type=lambda path: Path(path).resolve())
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--samples-each", type=int, default=3)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="writers-") as name,
        scripted_model.ScriptedModel(options.samples) as model,
    ):
        folder = Path(name)
        problems = {problem: options.samples_each for problem in scripted_model.KERNELS}
        place = runs.Place(
            options.kernelbench, options.samples, folder, model.write_files(folder), problems
        )
        writers = Writers(place, options.seconds)
        threads = [
            threading.Thread(target=writers.work, args=(i,)) for i in range(options.processes)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # What was still open when the time was over.
        last = place.start(place.command("store.db"), "last.log")
        if last.wait() != 0:
            writers.note(f"the last run: {place.tail('last.log')}", wrong=True)
        wrong = check(place, writers)
        asked = Counter(model.asked)
        wrong += [f"asked {n} times: {key}" for key, n in asked.items() if n > 1]
    text = (
        f"{options.processes} processes for {options.seconds:.0f} s on one store: "
        + ", ".join(f"{n} x {what}" for what, n in sorted(writers.done.items()))
        + f"\n{sum(problems.values())} samples, {sum(writers.evaluated.values())} evaluations\n"
    )
    return runs.conclude(text, wrong, "no sample lost, doubled or misattributed", options.report)


if __name__ == "__main__":
    sys.exit(main())
