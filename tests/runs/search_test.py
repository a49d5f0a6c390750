"""A search from end to end on cpu: its log, its prompts, a kill -9 in the middle, more of
it from its winner, its replay, and what is refused of a merged store.

    search_test.py KERNELBENCH [KILLS]

KILLS: only a search of 200 answers that is killed so often, at random moments.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import one_problem
from one_problem import JUDGED, check, make_pack

KERNELBENCH = str(Path(sys.argv[1]).resolve())
MODEL = str(Path(__file__).with_name("searching_model.py"))
TURNS = 5
FOLDER = Path(".")


def command(store: str, *options: str, model: str = "") -> list[str]:
    """A search of one problem. Without times nothing but the seed decides."""
    return [KERNELBENCH, "run", "--model", model or f"command:{sys.executable} {MODEL}",
            "--pack", str(FOLDER / "pack"), *JUDGED, "--trials", "0", "--store",
            str(FOLDER / store),
            *(() if "--turns" in options else ("--turns", str(TURNS))), *options]


def run(store: str, *options: str, model: str = "") -> str:
    """What it prints."""
    done = subprocess.run(command(store, *options, model=model), capture_output=True, text=True)
    check(done.returncode == 0, done.stdout + done.stderr)
    return done.stdout


def rows(store: str, query: str) -> list[tuple[Any, ...]]:
    """Of a query on a store of this test."""
    return one_problem.rows(FOLDER / store, query)


def log(store: str) -> list[dict[str, Any]]:
    """All that was decided, without how long it took."""
    lines = [json.loads(ask or told) for ask, told in
             rows(store, "SELECT ask, told FROM decisions ORDER BY id")]
    for line in lines:
        line.pop("seconds", None)
    return lines


def record(store: str) -> list[tuple[Any, ...]]:
    """All that is the same whenever it happens."""
    return rows(store, "SELECT turn, prompt_hash, answer_hash, history, source_hash FROM"
                       " generations ORDER BY turn") + rows(
        store, "SELECT turn, confirms, verdict FROM evaluations ORDER BY turn, confirms")


def check_search() -> None:
    """Every answer is of an ask, and shows the programs of the ask's parents."""
    search = "islands:islands=1,parallel=2,crossover=0.5,seed=3"
    run("search.db", "--search", search)
    asks = [line for line in log("search.db") if "kind" in line]
    check([ask["turn"] for ask in asks] == list(range(1, TURNS + 1)), asks)
    sources = dict(rows("search.db", "SELECT g.turn, CAST(b.bytes AS TEXT) FROM generations g"
                                     " JOIN blobs b ON b.hash = g.source_hash"))
    prompts = dict(rows("search.db", "SELECT g.turn, CAST(b.bytes AS TEXT) FROM generations g"
                                     " JOIN blobs b ON b.hash = g.prompt_hash"))
    for ask in asks:
        for parent in ask["parents"]:
            check(sources[parent].strip() in prompts[ask["turn"]], prompts[ask["turn"]])
    check(any(ask["parents"] for ask in asks), asks)
    again = rows("search.db", "SELECT count(*) FROM evaluations WHERE confirms")
    check(again == [(1,)], "the winner is judged again, once")
    said = subprocess.run(
        [KERNELBENCH, "prompt", "show", "level1/1", "--from", f"{FOLDER}/search.db/0:{TURNS}",
         "--pack", str(FOLDER / "pack"), "--json"], capture_output=True, text=True)
    check(said.returncode == 0, said.stderr)
    check(json.loads(said.stdout)["user"] == prompts[TURNS], said.stdout)


def check_kill() -> None:
    """Killed after three answers, it decides as if it had not been."""
    allowed = FOLDER / "allowed"
    allowed.write_text("3")
    os.environ["SEARCHING_MODEL_ALLOWED"] = str(allowed)
    options = ["--search", "islands:islands=1,parallel=2,crossover=0.5,seed=3"]
    process = subprocess.Popen(command("killed.db", *options), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    while process.poll() is None:
        time.sleep(0.02)
        try:
            if rows("killed.db", "SELECT count(*) FROM generations")[0][0] >= 3:
                break
        except sqlite3.OperationalError:
            continue  # it is not made yet
    process.send_signal(signal.SIGKILL)
    check(process.wait() == -signal.SIGKILL, "it ended before it was killed")
    cut = log("killed.db")
    check(0 < len(cut) < 2 * TURNS, cut)
    allowed.write_text(str(TURNS))
    run("killed.db", *options)
    check(log("killed.db") == log("search.db"), (log("killed.db"), log("search.db")))
    check(record("killed.db") == record("search.db"), record("killed.db"))
    check(log("killed.db")[: len(cut)] == cut, "the log was rewritten")


def check_kills(kills: int) -> None:
    """Killed at random moments it decides and keeps what it would have undisturbed."""
    options = ["--search", "islands:islands=2,parallel=2,crossover=0.5,seed=5", "--turns", "200"]
    run("whole.db", *options)
    moments = random.Random(kills)
    for _ in range(kills):
        with subprocess.Popen(command("cut.db", *options), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            try:
                process.wait(timeout=moments.uniform(0.1, 5))
            except subprocess.TimeoutExpired:
                process.kill()
        check(process.returncode == -signal.SIGKILL, "it ended before it was killed")
    kept = rows("cut.db", "SELECT count(*) FROM generations")[0][0]
    run("cut.db", *options)
    check(log("cut.db") == log("whole.db"), (log("cut.db"), log("whole.db")))
    check(record("cut.db") == record("whole.db"), record("cut.db"))
    print(f"{kills} kills in {kept} answers of 200, and the same in the end")


def check_branch() -> None:
    """A second search begins with a turn of the first, and a log is replayed."""
    first = log("search.db")
    run("branch.db", "--search", "refinement", "--turns", "2", "--from",
        f"{FOLDER}/search.db/0:4")
    asks = [line for line in log("branch.db") if "kind" in line]
    check([(a["kind"], a["parents"]) for a in asks] == [("given", []), ("refine", [1])], asks)
    program = "SELECT source_hash FROM generations WHERE turn = "
    check(rows("branch.db", program + "1") == rows("search.db", program + "4"),
          "it begins with another program")
    run("replayed.db", "--search", f"replay:{FOLDER}/search.db",
        model=f"replay:{FOLDER}/search.db")
    check(log("replayed.db") == first, (log("replayed.db"), first))


def refused(said: str, *arguments: str) -> None:
    """It is wrong usage, and that is why."""
    done = subprocess.run(arguments, capture_output=True, text=True)
    check(done.returncode == 2 and said in done.stderr, (done.returncode, done.stderr))


def check_two_models() -> None:
    """Of a merged store nobody can tell whose answers are meant. What another store of its
    name left beside it is no part of it."""
    both = FOLDER / "both.db"
    with sqlite3.connect(FOLDER / "stale.db") as stale:
        stale.execute("PRAGMA journal_mode = WAL")
        stale.execute("CREATE TABLE stale (x)")
        stale.execute("INSERT INTO stale VALUES (1)")
        stale.commit()
        for part in ("-wal", "-shm"):
            (FOLDER / f"both.db{part}").write_bytes((FOLDER / f"stale.db{part}").read_bytes())
    merged = subprocess.run(
        [KERNELBENCH, "runs", "merge", str(FOLDER / "search.db"), str(FOLDER / "replayed.db"),
         "--out", str(both)], capture_output=True, text=True)
    check(merged.returncode == 0 and "holds samples of 2 models" in merged.stderr,
          merged.stderr)
    check(rows("both.db", "SELECT name FROM sqlite_master WHERE name = 'stale'") == [],
          "the merged store has what another left")
    check(rows("both.db", "SELECT count(*) FROM generations") == [(2 * TURNS,)],
          "the merged store lacks answers")
    refused("holds answers of 2 models", *command("no.db", model=f"replay:{both}"))
    refused("several models have that sample", *command("no.db", "--from", f"{both}/0"))
    refused("2 searches of sample 0", *command("no.db", "--search", f"replay:{both}"))


def check_page() -> None:
    """The report has the tree, and a budget names itself."""
    page = FOLDER / "page.html"
    subprocess.run([KERNELBENCH, "report", str(FOLDER / "search.db"), "--pack",
                    str(FOLDER / "pack"), "-o", str(page)], check=True, capture_output=True)
    text = page.read_text()
    for part in ["Best so far by answers", "Best so far by time", 'href="#search/0/3"', *(f"turn {turn}, " for turn in range(1, TURNS + 1))]:
        check(part in text, f"the page lacks {part}")
    done = subprocess.run(command("budget.db", "--search", "best-of-n", "--max-answers", "1"),
                          capture_output=True, text=True)
    check(done.returncode == 1, done.stderr)
    check("stopped at the budget of --max-answers after 1 answer" in done.stderr, done.stderr)


def check_table() -> None:
    """On a terminal the searches are a table, which is gone in the end."""
    reader, terminal = os.openpty()
    with subprocess.Popen(command("table.db", "--search", "refinement", "--turns", "2"),
                          stdout=subprocess.DEVNULL, stderr=terminal) as process:
        os.close(terminal)
        text = b""
        while True:
            try:
                text += os.read(reader, 4096)
            except OSError:  # nobody writes any more
                break
    os.close(reader)
    check(process.returncode == 0, text)
    check(b"level1/1 sample 0  turn   1  best correct" in text, text)
    check(b"judging: " in text and b"asking: " in text, text)


def main() -> None:
    """All of it."""
    global FOLDER
    with tempfile.TemporaryDirectory(prefix="search-") as name:
        FOLDER = Path(name)
        os.environ.update(KB_CACHE=name + "/cache", XDG_DATA_HOME=name)
        make_pack(FOLDER / "pack")
        if len(sys.argv) > 2:
            check_kills(int(sys.argv[2]))
            return
        check_search()
        check_kill()
        check_branch()
        check_two_models()
        check_page()
        check_table()
    print("a search, the same after a kill, from its fourth answer, and its replay")


if __name__ == "__main__":
    main()
