"""What a user sees when something around a command is broken: outcome and words, fault by fault.

outcomes_test.py KERNELBENCH SAMPLES [TEST...]
"""

import fcntl
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any

KERNELBENCH, SAMPLES = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
RELU = SAMPLES / "level1_19_relu"
ESCAPE = b"\x1b"
LIMIT = 300


class Outcomes(unittest.TestCase):
    """One command each, with what it needs in a folder of its own."""

    def setUp(self) -> None:
        """An own place for temporary files."""
        folder = tempfile.TemporaryDirectory(prefix="outcomes-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {**os.environ, "TMPDIR": str(self.folder)}

    def call(self, *words: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
        """A command; standard output and error are kept unless `how` says otherwise."""
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how
        return subprocess.run(
            [KERNELBENCH, *words],
            stdin=subprocess.DEVNULL,
            env=self.environment,
            timeout=LIMIT,
            check=False,
            **how,
        )

    def judge(self, candidate: Path, *more: str) -> list[str]:
        """The command that judges a ReLU for correctness."""
        return [
            *["eval", "--device", "cpu", "--problem", "level1/19", "--trials", "0"],
            *["--candidate", str(candidate), *(more or ["--no-store"])],
        ]

    def verdict_of(self, candidate: Path) -> str:
        """What the JSON says of a candidate."""
        done = self.call(*self.judge(candidate), "--json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)["evaluations"][0]["verdict"]

    def candidate(self, body: str, name: str = "mine.cpp") -> Path:
        """A file with this forward."""
        path = self.folder / name
        path.write_text(
            "#include <kernelbench/candidate.h>\n#include <unistd.h>\n"
            f"int kb_forward(const kb_call*) {{ {body} return 0; }}\n"
        )
        return path

    # --- Output that nobody takes ---

    def test_full_disk_behind_standard_output_is_said(self) -> None:
        """Exit code 3, and why."""
        with open("/dev/full", "wb") as full:
            done = self.call("problems", "list", stdout=full)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"cannot write standard output: No space left", done.stderr)

    def test_full_disk_behind_standard_error_ends_nothing(self) -> None:
        """The answer comes."""
        with open("/dev/full", "wb") as full:
            done = self.call(*self.judge(RELU / "loop.cpp"), stderr=full)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"correct", done.stdout)

    def test_closed_descriptors_end_nothing(self) -> None:
        """Neither one nor all three."""
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            words = " ".join(self.judge(RELU / "loop.cpp"))
            done = subprocess.run(
                ["bash", "-c", f"exec {KERNELBENCH} {words} {closed}"],
                env=self.environment,
                timeout=LIMIT,
                capture_output=True,
                check=False,
            )
            self.assertEqual(done.returncode, 0, closed)

    def test_reader_that_has_gone_ends_nothing(self) -> None:
        """As in `kernelbench ... | head -1`."""
        reader, writer = os.pipe()
        os.close(reader)
        done = self.call(*self.judge(RELU / "loop.cpp"), stdout=writer, stderr=writer)
        os.close(writer)
        self.assertEqual(done.returncode, 0)

    def test_nohup_is_kept(self) -> None:
        """A command that ignores SIGHUP goes on."""
        command = [KERNELBENCH, *self.judge(RELU / "loop.cpp")]
        with subprocess.Popen(
            command,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        ) as run:
            for _ in range(20):
                time.sleep(0.1)
                run.send_signal(signal.SIGHUP)
            self.assertEqual(run.wait(LIMIT), 0)

    def test_no_escape_sequence_of_a_name_reaches_the_terminal(self) -> None:
        """Neither on standard output nor on standard error."""
        good = self.candidate("", "a\x1b[2Jb\x9bc.cpp")
        missing = self.folder / "no\x1b[31mfile.cpp"
        for candidate in (good, missing):
            done = self.call(*self.judge(candidate))
            self.assertNotIn(ESCAPE, done.stdout + done.stderr)

    # --- Files that are none ---

    def test_candidate_that_is_a_pipe_is_refused(self) -> None:
        """Not waited for."""
        pipe = self.folder / "pipe.cpp"
        os.mkfifo(pipe)
        done = self.call(*self.judge(pipe))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"is a pipe, not a file", done.stderr)

    def test_report_leaves_devices_and_pipes_what_they_are(self) -> None:
        """It writes into them."""
        store = str(self.folder / "run.db")
        self.assertEqual(self.call(*self.judge(RELU / "loop.cpp", "--store", store)).returncode, 0)
        null = self.folder / "null"
        os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.assertEqual(self.call("report", store, "-o", str(null)).returncode, 0)
        self.assertTrue(stat.S_ISCHR(null.stat().st_mode))
        unread = self.call("report", store, "-o", str(pipe))
        self.assertEqual(unread.returncode, 3)
        self.assertIn(b"nobody reads the pipe", unread.stderr)
        pages: list[bytes] = []
        reader = threading.Thread(target=lambda: pages.append(pipe.read_bytes()))
        reader.start()
        time.sleep(0.2)
        self.assertEqual(self.call("report", store, "-o", str(pipe)).returncode, 0)
        reader.join(LIMIT)
        self.assertIn(b"</html>", pages[0])
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))

    # --- Stores ---

    def stored(self) -> Path:
        """A store with one result."""
        store = self.folder / "stored.db"
        done = self.call(*self.judge(RELU / "loop.cpp", "--store", str(store)))
        self.assertEqual(done.returncode, 0, done.stderr)
        return store

    def test_merge_with_a_damaged_store_leaves_nothing(self) -> None:
        """And can be done again without it."""
        store, out = self.stored(), self.folder / "merged.db"
        damaged = self.folder / "damaged.db"
        damaged.write_bytes(store.read_bytes()[:5000])
        done = self.call("runs", "merge", str(store), str(damaged), "--out", str(out))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"damaged.db", done.stderr)
        self.assertEqual(list(self.folder.glob("merged.db*")), [])
        twice = self.call("runs", "merge", str(store), str(store), "--out", str(out))
        self.assertEqual(twice.returncode, 0, twice.stderr)

    def test_store_in_use_is_not_deleted(self) -> None:
        """Whoever holds it is named."""
        store = self.stored()
        with open(f"{store}.lock", "w", encoding="utf-8") as lock:
            lock.write("process 1 on here")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.call("runs", "delete", str(store), "--yes")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"is being written by process 1 on here", done.stderr)
        self.assertTrue(store.exists())

    def test_store_that_is_appended_to_is_not_deleted(self) -> None:
        """By an `eval` that goes on."""
        store = self.stored()
        command = [*[KERNELBENCH, "eval", "--device", "cpu", "--trials", "0", "--json-lines"]]
        with subprocess.Popen(
            [*command, "--store", str(store), "-"],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as evaluating:
            assert evaluating.stdin and evaluating.stdout
            task = {"problem": "level1/19", "path": str(RELU / "loop.cpp")}
            evaluating.stdin.write(json.dumps(task).encode() + b"\n")
            evaluating.stdin.flush()
            self.assertIn(b"correct", evaluating.stdout.readline())
            refused = self.call("runs", "delete", str(store), "--yes")
            beside = self.call(*self.judge(RELU / "loop.cpp", "--store", str(store)))
            evaluating.stdin.close()
            self.assertEqual(evaluating.wait(LIMIT), 0)
        self.assertEqual(refused.returncode, 2)
        self.assertIn(b"is being written by another kernelbench", refused.stderr)
        self.assertEqual(beside.returncode, 0, beside.stderr)
        deleted = self.call("runs", "delete", str(store), "--yes")
        self.assertEqual(deleted.returncode, 0, deleted.stderr)
        self.assertEqual(list(self.folder.glob("stored.db*")), [])

    def test_two_merges_into_one_file_do_not_meet(self) -> None:
        """The second leaves alone what the first is making."""
        store, out = self.stored(), self.folder / "merged.db"
        part = self.folder / "merged.db.part"
        part.write_text("of the first")
        with open(f"{out}.lock", "w", encoding="utf-8") as lock:
            lock.write("process 1 on here")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.call("runs", "merge", str(store), "--out", str(out))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"is being written by process 1 on here", done.stderr)
        self.assertEqual(part.read_text(), "of the first")
        merges = [
            subprocess.Popen(
                [KERNELBENCH, "runs", "merge", str(store), "--out", str(out)],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for _ in range(4)
        ]
        said = [merge.communicate(timeout=LIMIT) for merge in merges]
        self.assertEqual(sorted(merge.returncode for merge in merges), [0, 2, 2, 2], said)
        for merge, (_, wrong) in zip(merges, said, strict=True):
            if merge.returncode != 0:
                self.assertRegex(wrong, rb"there is something already|is being written by process")
        shown = self.call("runs", "show", str(out), "--json")
        self.assertEqual(json.loads(shown.stdout)["samples"], 1)

    def test_store_that_is_shorter_than_it_says_is_damaged(self) -> None:
        """For every command, at every length, and nothing is added to it."""
        store, out = self.stored(), self.folder / "merged.db"
        damaged, whole = self.folder / "damaged.db", store.read_bytes()
        for size in (len(whole) // 4096 * 4096 - 4096, len(whole) // 8192 * 4096, 5000):
            damaged.write_bytes(whole[:size])
            for command in (
                ["runs", "merge", str(store), str(damaged), "--out", str(out)],
                ["runs", "show", str(damaged)],
                ["analyze", str(damaged)],
                ["report", str(damaged), "-o", str(self.folder / "page.html")],
                self.judge(RELU / "loop.cpp", "--store", str(damaged)),
            ):
                done = self.call(*command)
                self.assertEqual(done.returncode, 2, (command, done.stderr))
                self.assertIn(b"damaged.db: the file is damaged", done.stderr)
            self.assertEqual(damaged.read_bytes(), whole[:size])

    def test_stores_are_appended_to_by_several_users(self) -> None:
        """The file by which they say so may be another's, who left no right to write it."""
        store = self.stored()
        appending = Path(f"{store}.appending")
        appending.touch(0o444)
        done = self.unprivileged(*self.judge(RELU / "loop.cpp", "--store", str(store)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(appending.exists())

    # --- Folders ---

    def unprivileged(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        """A command of somebody who may not read everything, also where we may."""
        may = "-dac_override,-dac_read_search"
        drop = ["setpriv", f"--bounding-set={may}", f"--inh-caps={may}"]
        return subprocess.run(
            [*(drop if os.geteuid() == 0 else []), KERNELBENCH, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self.environment,
            timeout=LIMIT,
            check=False,
        )

    def test_broken_parts_of_a_folder_are_named(self) -> None:
        """Links to nowhere and folders that cannot be read: nothing is left out without a word."""
        folder = self.folder / "answers"
        (folder / "level1_19").mkdir(parents=True)
        (folder / "level1_19" / "a.cpp").write_text((RELU / "loop.cpp").read_text())
        replay = ["run", "--model", f"replay:{folder}", "--problem", "level1/19"]
        replay += ["--device", "cpu", "--store", str(self.folder / "run.db")]
        commands = [
            ["eval", str(folder), "--device", "cpu", "--no-store"],
            ["demo", "--samples", str(folder), "--device", "cpu", "--out", str(self.folder / "out")],
            replay,
        ]
        loop, dangling, closed = folder / "x.cpp", folder / "y.cpp", folder / "closed"
        for broken in (loop, dangling, closed):
            if broken == closed:
                closed.mkdir(mode=0)
            else:
                broken.symlink_to("x.cpp" if broken == loop else "nowhere.cpp")
            for command in commands:
                done = self.unprivileged(*command)
                self.assertEqual(done.returncode, 2, (command, done.stderr))
                self.assertIn(f"{broken}: ".encode(), done.stderr)
            if broken == closed:
                closed.rmdir()
            else:
                broken.unlink()

    def test_replayed_file_that_cannot_be_read_is_asked_again(self) -> None:
        """It is no answer, and the run is not complete."""
        folder, store = self.folder / "answers", self.folder / "run.db"
        folder.mkdir()
        answer = folder / "level1_19_a.cpp"
        answer.write_text((RELU / "loop.cpp").read_text())
        answer.chmod(0)
        command = ["generate", "--model", f"replay:{folder}", "--problem", "level1/19"]
        command += ["--device", "cpu", "--backend", "cpp", "--store", str(store)]
        done = self.unprivileged(*command)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"Permission denied", done.stderr)
        answer.chmod(0o600)
        done = self.unprivileged(*command)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_folder_that_has_changed_is_not_replayed_further(self) -> None:
        """Samples are numbered by its files: files come last, or are refused."""
        folder, store = self.folder / "answers", self.folder / "run.db"
        folder.mkdir()
        code = (RELU / "loop.cpp").read_text()
        command = ["generate", "--model", f"replay:{folder}", "--problem", "level1/19"]
        command += ["--device", "cpu", "--backend", "cpp", "--store", str(store)]
        for name in ("b", "d", "e"):
            (folder / f"level1_19_{name}.cpp").write_text(code + f"// {name}\n")
            done = self.call(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
        (folder / "level1_19_c.cpp").write_text(code)
        done = self.call(*command)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"answers: the folder has changed since the run began", done.stderr)

    # --- Places ---

    def test_file_size_limit_is_said(self) -> None:
        """As a full disk is."""
        resource_limit = (20 << 10, 20 << 10)
        command = ["generate", "--model", self.model("true"), "--problem", "level1/19"]
        command += ["--device", "cpu", "--backend", "cpp", "--store", str(self.folder / "run.db")]
        evaluation = self.judge(RELU / "loop.cpp", "--store", str(self.folder / "eval.db"))
        for each in (command, evaluation):
            done = self.call(
                *each,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, resource_limit),
            )
            self.assertEqual(done.returncode, 3, (each, done.stderr))
            self.assertIn(b"check the free space", done.stderr)

    def test_cache_that_cannot_be_made_is_said(self) -> None:
        """Not that PyTorch is missing."""
        self.environment["KB_CACHE"] = "/proc/none"
        done = self.call(*self.judge(RELU / "loop.cpp"))
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"/proc/none", done.stderr)
        self.assertIn(b"KB_CACHE", done.stderr)
        self.assertNotIn(b"torch", done.stderr)

    def test_output_without_a_name_is_said(self) -> None:
        """Not what was tried with it."""
        done = self.call("report", str(self.stored()), "-o", "")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"has an empty name", done.stderr)

    def test_relative_tmpdir_works(self) -> None:
        """And one that is missing is named."""
        (self.folder / "below").mkdir()
        self.environment["TMPDIR"] = "below"
        done = self.call(*self.judge(RELU / "loop.cpp"), cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.environment["TMPDIR"] = "missing"
        done = self.call(*self.judge(self.candidate("usleep(1);")), cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"TMPDIR=missing", done.stdout + done.stderr)

    def test_working_folder_may_be_gone(self) -> None:
        """What is named with its whole path needs none."""
        gone = self.folder / "gone"
        gone.mkdir()
        done = subprocess.run(
            ["bash", "-c", f"rmdir {gone}; exec {KERNELBENCH} " + " ".join(self.judge(RELU / "loop.cpp"))],
            cwd=gone,
            env=self.environment,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_few_open_files_are_said_or_made_more(self) -> None:
        """A hard limit of 16 cannot be helped, a soft one can."""

        def limit_to(hard: int) -> Any:
            return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, hard))

        few = self.call(*self.judge(RELU / "loop.cpp"), preexec_fn=limit_to(16))
        self.assertEqual(few.returncode, 2)
        self.assertIn(b"only 16 files may be open", few.stderr)
        self.assertIn(b"ulimit", few.stderr)
        more = self.call(*self.judge(RELU / "loop.cpp"), preexec_fn=limit_to(4096))
        self.assertEqual(more.returncode, 0, more.stderr)

    # --- Blame ---

    def test_no_exit_code_is_our_failure(self) -> None:
        """A candidate cannot leave the score by ending with 70."""
        self.assertEqual(self.verdict_of(self.candidate("_exit(70);")), "runtime_error")
        setup = self.folder / "setup.cpp"
        setup.write_text(
            "#include <kernelbench/candidate.h>\n#include <unistd.h>\n"
            "int kb_setup(const kb_model*, void**) { _exit(70); }\n"
            "int kb_forward(const kb_call*) { return 0; }\n"
        )
        self.assertEqual(self.verdict_of(setup), "load_error")

    # --- Runs ---

    def model(self, *lines: str) -> str:
        """A program that answers each question so."""
        path = self.folder / "model.sh"
        path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
        path.chmod(0o755)
        return f"command:{path}"

    def pack(self, inputs: str) -> Path:
        """Problems of one's own, without small sizes: level1/1, with these inputs."""
        level = self.folder / "pack/level1"
        level.mkdir(parents=True)
        (level / "1_Mine.py").write_text(
            "import torch\n\n\nclass Model(torch.nn.Module):\n"
            "    def forward(self, x):\n        return torch.relu(x)\n\n\n"
            f"def get_inputs():\n    {inputs}\n\n\n"
            "def get_init_inputs():\n    return []\n"
        )
        return level.parent

    def test_run_with_our_failure_is_not_complete(self) -> None:
        """Exit code 3 each time, since the same command judges it again."""
        pack = self.pack("raise RuntimeError('there are none')")
        code = (RELU / "loop.cpp").read_text()
        (self.folder / "answer").write_text(f"```cpp\n{code}```\n")
        model = self.model(f"cat {self.folder}/answer")
        for _ in range(2):
            done = self.call(
                *["run", "--model", model, "--pack", str(pack), "--problem", "level1/1"],
                *["--backend", "cpp", "--device", "cpu", "--json"],
                *["--store", str(self.folder / "run.db")],
            )
            self.assertEqual(done.returncode, 3, done.stderr)
            said = json.loads(done.stdout)
            self.assertEqual([e["verdict"] for e in said["evaluations"]], ["infra_error"])
            self.assertFalse(said["complete"])
            self.assertIn(b"1 answer not judged, a failure of ours", done.stderr)

    def test_pack_without_small_sizes_is_asked_about_at_full_size(self) -> None:
        """As `run` judges it on cpu, where nobody names a size."""
        pack = self.pack("return [torch.rand(16, 16)]")
        for command in ("run", "generate"):
            done = self.call(
                *[command, "--model", self.model("true"), "--pack", str(pack)],
                *["--problem", "level1/1", "--backend", "cpp", "--device", "cpu", "--dry-run"],
                *["--store", str(self.folder / "run.db")],
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b"1 question", done.stdout)

    def test_turns_of_a_level_that_is_not_selected_are_refused(self) -> None:
        """They would do nothing."""
        command = [
            *["run", "--model", self.model("true"), "--problem", "level1/19", "--backend", "cpp"],
            *["--device", "cpu", "--dry-run", "--store", str(self.folder / "run.db"), "--turns"],
        ]
        self.assertEqual(self.call(*command, "level1=3,2").returncode, 0)
        done = self.call(*command, "level1=3,level7=10")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--turns level7=10: no problem of level7 is selected", done.stderr)

    def test_turns_of_a_selection_are_those_of_its_levels(self) -> None:
        """Of v3's levels 1 to 4: 10, 12, 15 and 15."""
        command = [
            *["run", "--model", self.model("true"), "--backend", "cpp", "--device", "cpu"],
            *["--dry-run", "--store", str(self.folder / "run.db"), "--turns", "selection"],
        ]
        done = self.call(*command, "--select", "v3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"up to 14 more of a sample follow", done.stdout)
        done = self.call(*command, "--select", "metr")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--turns selection: ", done.stderr)

    def test_interrupted_run_says_so_whatever_is_open(self) -> None:
        """Here a question whose program failed."""
        model = self.model(
            '[ "$KB_SAMPLE" = 0 ] && exit 1', f"touch {self.folder}/asked", "exec sleep 60"
        )
        command = [
            *[KERNELBENCH, "generate", "--model", model, "--problem", "level1/19", "--samples", "2"],
            *["--concurrency", "1", "--backend", "cpp", "--device", "cpu"],
            *["--store", str(self.folder / "run.db")],
        ]
        with subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE) as run:
            while run.poll() is None and not (self.folder / "asked").exists():
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            _, said = run.communicate(timeout=LIMIT)
        self.assertIn(b"1 question got no answer", said)
        self.assertIn(b"interrupted", said)
        self.assertEqual(run.returncode, 130)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
