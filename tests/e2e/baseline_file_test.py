"""`baseline --file` and `--compare`, on cpu.

baseline_file_test.py KERNELBENCH
"""

import contextlib
import copy
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from checks import Checks

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))
import processes  # noqa: E402

MEASURE = ["--problem", "level1/19", "--mode", "eager", "--device", "cpu", "--trials", "3"]
WITH_FLA = [*MEASURE[:3], "eager,fla", *MEASURE[4:]]
MANY = ["--problem", "level1/19,level1/20,level1/21,level1/22", *MEASURE[2:]]
# A GELU that torch.compile writes anew rounds otherwise.
TO_OTHER_VALUES = ["--problem", "level1/26", "--mode", "compile,eager", "--tolerance", "1e-30"]


class Baselines(Checks):
    """Calls of one command."""

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A whole call."""
        return self.run("baseline", *words)

    def lost(self, file: Path) -> tuple[int, bool, bool]:
        """Of a call whose file cannot be written any more once it has one of four rows: exit
        code, whether it says which file, and whether it goes on with the last problem."""
        words = ["baseline", *MANY, "--store", "lost.db", "--file", file.name]
        mine, its = pty.openpty()  # steps are shown on a terminal
        with subprocess.Popen([self.program, *words], cwd=self.folder, stderr=its) as process:
            os.close(its)
            said = b""
            with contextlib.suppress(OSError), os.fdopen(mine, "rb", 0) as terminal:
                while part := terminal.read(4096):
                    said += part
                    if file.is_file():
                        file.unlink()
                        file.mkdir()
        goes_on = b"level1/22: eager, trial" in said
        return process.returncode, file.name.encode() in said, goes_on

    def interrupted(self) -> tuple[int, bool]:
        """Of a call that is interrupted in its first step: exit code, and whether it says in
        which."""
        words = ["baseline", *MANY, "--store", "interrupted.db"]
        mine, its = pty.openpty()
        with subprocess.Popen([self.program, *words], cwd=self.folder, stderr=its) as process:
            os.close(its)
            said = b""
            with contextlib.suppress(OSError), os.fdopen(mine, "rb", 0) as terminal:
                while part := terminal.read(4096):
                    if b"level1/19: eager" in said + part and b"level1/19: eager" not in said:
                        process.send_signal(signal.SIGINT)
                    said += part
        return process.returncode, b"was under way: level1/19: eager, " in said

    def interfered(self, file: Path) -> tuple[int, bool, str, int]:
        """Of a call whose oracles are killed as soon as they start: exit code, whether it says
        that it failed, what it prints, and how many rows it keeps."""
        words = ["baseline", *MEASURE, "--store", "failed.db", "--file", file.name]
        command = [self.program, *words]
        with subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            while process.poll() is None:
                for oracle in processes.by_kind(process.pid).get("oracle", []):
                    processes.send(oracle, signal.SIGKILL)
                time.sleep(0.1)
            printed, errors = process.communicate()
            said = "1 baseline not measured, a failure of ours" in errors
        rows = json.loads(file.read_text())["baselines"] if file.exists() else []
        return process.returncode, said, printed, len(rows)

    def again(self, written: dict[str, Any], file: Path) -> list[bool]:
        """Of a row without a time: whether it is another one after a call, after one that
        measures again what failed, and after a second one like that."""
        failed = copy.deepcopy(written)
        failed["baselines"][0].update(time_us=None, reason="no answer within 1 s of forward")
        file.write_text(json.dumps(failed))
        rows, changed = failed["baselines"], []
        for more in ([], ["--again-failed"], ["--again-failed"]):
            self.call(*MEASURE, *more, "--store", "again.db", "--file", file.name)
            before, rows = rows, json.loads(file.read_text())["baselines"]
            changed.append(rows != before)
        return [*changed, bool(rows[0]["time_us"])]

    def compared(self, first: str, second: str) -> dict[str, Any]:
        """What --compare says of two files."""
        found: dict[str, Any] = json.loads(self.call("--compare", first, second, "--json").stdout)
        return found


def main() -> int:
    """Exit code 0 when all is as it should be."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        checks = Baselines(sys.argv[1], folder)
        first = checks.call(*MEASURE, "--store", "a.db", "--file", "a.json", "--profile-run", "a.trace")
        checks.expect("measured", first.returncode, 0)
        events = json.loads((folder / "a.trace").read_text())["traceEvents"]
        turns = [event["name"] for event in events if event.get("cat") == "trials"]
        told = (turns, "processes start and load" in first.stderr)
        checks.expect("where the time went", told, (["level1/19 reference.py"], True))
        written = json.loads((folder / "a.json").read_text())
        checks.expect("schema", written["schema"], "kernelbench/baselines/1")
        checks.expect("rows", len(written["baselines"]), 1)
        # Another machine's store knows nothing; the file does.
        known = checks.call(*WITH_FLA, "--store", "b.db", "--file", "a.json")
        modes = [line.split()[1] for line in known.stdout.splitlines() if line.startswith("level1/19")]
        checks.expect("modes that a problem has", (modes, "fla" in known.stdout), (["eager"], False))
        none = checks.call(*MEASURE[:2], "--mode", "fla", "--device", "cpu", "--store", "b.db")
        said = "none of these problems has a baseline of flash-linear-attention" in none.stderr
        checks.expect("nothing to measure", (none.returncode, none.stdout, said), (0, "", True))
        checks.expect("not again", json.loads((folder / "a.json").read_text()), written)
        # Times with other TF32 are others, and stand beside them.
        (folder / "ieee.json").write_text('{"name": "without-tf32", "precision": "ieee"}')
        (folder / "tf32.json").write_text(json.dumps(written))
        for _ in range(2):
            checks.call(*MEASURE, "--policy", "ieee.json", "--store", "a.db", "--file", "tf32.json")
            rows = json.loads((folder / "tf32.json").read_text())["baselines"]
            checks.expect("TF32 of the policy", [b["tf32"] for b in rows], ["cudnn", "none"])
        checks.call(*TO_OTHER_VALUES, "--device", "cpu", "--trials", "3", "--store", "c.db", "--file", "c.json")
        rows = json.loads((folder / "c.json").read_text())["baselines"]
        timed = {b["mode"]: (bool(b["time_us"]), b["reason"].split(",")[0]) for b in rows}
        checks.expect("other values", timed, {"compile": (True, "compiled"), "eager": (True, "")})
        checks.expect("ends where a row is lost", checks.lost(folder / "lost.json"), (3, True, False))
        checks.expect("interrupted", checks.interrupted(), (130, True))
        checks.expect("a failure of ours", checks.interfered(folder / "failed.json"), (3, True, "", 0))
        then = checks.call(*MEASURE, "--store", "failed.db", "--file", "failed.json")
        rows = json.loads((folder / "failed.json").read_text())["baselines"]
        checks.expect("measured then", (then.returncode, [bool(b["time_us"]) for b in rows]), (0, [True]))
        again = checks.again(written, folder / "again.json")
        checks.expect("only what failed", again, [False, True, False, True])
        same = checks.compared("a.json", "a.json")["modes"]
        checks.expect("itself", [(m["ratio"], m["overlap"]) for m in same], [(1, 1)])
        double = copy.deepcopy(written)
        times = double["baselines"][0]["time_us"]
        for key in ("median", "q25", "q75"):
            times[key] *= 2
        (folder / "b.json").write_text(json.dumps(double))
        for pair, ratio in ((("a.json", "b.json"), 2), (("b.json", "a.json"), 0.5)):
            found = checks.compared(*pair)["modes"]
            checks.expect(f"{pair}", [round(m["ratio"], 9) for m in found], [ratio])
        del double["baselines"][0]["mode"]
        (folder / "broken.json").write_text(json.dumps(double))
        wrong = checks.call("--compare", "a.json", "broken.json")
        said = (wrong.returncode, "broken.json" in wrong.stderr and "mode" in wrong.stderr)
        checks.expect("broken", said, (2, True))
        none = checks.call("--compare", "a.json", "none.json")
        checks.expect("no file", (none.returncode, "none.json" in none.stderr), (2, True))
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
